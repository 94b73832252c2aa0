import type { PortalMethodKind } from '@yunxun/contract';
import type { PageLocale } from '../catalogue.ts';
import type { Markup } from '../html.ts';
import { accountForm } from './account/form.ts';
import { dynamicPasswordForm } from './dynamic-password/form.ts';
import { loginForm } from './login.ts';
import type { FormContext, MethodForm } from './method-form.ts';
import { oneClickForm } from './one-click/form.ts';
import { passwordForm } from './password/form.ts';
import { purchaseForm } from './purchase/form.ts';
import { rechargeCardForm } from './recharge-card/form.ts';
import { smsForm } from './sms/form.ts';
import { sponsorForm } from './sponsor/form.ts';
import { methodTexts } from './texts.ts';
import { voucherForm } from './voucher/form.ts';

interface AnyForm {
  fields(context: FormContext, data: never): Markup;
  kept?: readonly string[];
  preview?: unknown;
  hint?(locale: PageLocale, data: never): string | null;
  isBegun?(data: never): boolean;
}

export const methodForms = {
  one_click: oneClickForm,
  password: passwordForm,
  dynamic_password: dynamicPasswordForm,
  voucher: voucherForm,
  account: accountForm,
  sms: smsForm,
  recharge_card: rechargeCardForm,
  purchase: purchaseForm,
  sponsor: sponsorForm,
  oidc: loginForm,
  wechat: loginForm,
  wecom: loginForm,
  dingtalk: loginForm,
} satisfies Readonly<Record<PortalMethodKind, AnyForm>>;

const formOf = (kind: PortalMethodKind): AnyForm => methodForms[kind];

type DataOf<F> = F extends MethodForm<infer D> ? D : never;

export type MethodData = { [K in PortalMethodKind]: DataOf<(typeof methodForms)[K]> };

export function methodFields(kind: PortalMethodKind, context: FormContext, data: Partial<MethodData>): Markup {
  return formOf(kind).fields(context, data[kind] as never);
}

export function methodHint(kind: PortalMethodKind, locale: PageLocale, data: Partial<MethodData>): string {
  return formOf(kind).hint?.(locale, data[kind] as never) ?? methodTexts[kind](locale, 'hint');
}

export const isBegun = (kind: PortalMethodKind, data: Partial<MethodData>): boolean =>
  formOf(kind).isBegun?.(data[kind] as never) ?? false;

/** Returns what a new guest sees, in a network that sells nothing. */
export const previewData = (kinds: readonly PortalMethodKind[]): Partial<MethodData> =>
  Object.fromEntries(kinds.map((kind) => [kind, formOf(kind).preview]));

export const keptFields = (): string[] => Object.values<AnyForm>(methodForms).flatMap(({ kept = [] }) => kept);
