import type { PortalMethodKind } from '@yunxun/contract';
import type { PortalError } from '@yunxun/portal';
import { methodKinds } from '@yunxun/portal/method-names';
import type { Row } from '../../app/api.ts';
import { type MessageKey, t, textOf } from '../../app/i18n.ts';
import { methodName } from '../../app/method-name.ts';

type Try = Row<'/api/v3/portal/reception/try/list'>;

export const systemText = (system: Try['system']): string => t(`reception.system_${system ?? 'unknown'}`);

export const failureText = (reason: string): string => textOf(`site_portal.failure_${reason}`) ?? reason;

const isMethod = (way: string): way is PortalMethodKind => methodKinds().some((kind) => kind === way);

export function wayText(way: string | null): string {
  if (way === null) return t('reception.way_none');
  if (way === 'remembered') return t('reception.way_remembered');
  return isMethod(way) ? methodName(way) : way;
}

const advised = {
  voucher_unknown: 'reception.advice_mistyped',
  voucher_void: 'reception.advice_new_voucher',
  voucher_expired: 'reception.advice_new_voucher',
  card_unknown: 'reception.advice_mistyped',
  card_used: 'reception.advice_new_card',
  card_expired: 'reception.advice_new_card',
  card_void: 'reception.advice_new_card',
  coupon_unknown: 'reception.advice_mistyped',
  coupon_minimum: 'reception.advice_coupon',
  data_used: 'reception.advice_new_card',
  devices: 'reception.advice_devices',
  times: 'reception.advice_times',
  wrong_password: 'reception.advice_mistyped',
  account_wrong: 'reception.advice_mistyped',
  account_off: 'reception.advice_operator',
  code_wrong: 'reception.advice_code',
  code_wait: 'reception.advice_wait',
  too_many_device: 'reception.advice_wait',
  too_many_address: 'reception.advice_wait',
  busy: 'reception.advice_wait',
  state_old: 'reception.advice_reload',
  terms_changed: 'reception.advice_reload',
  not_taken: 'reception.advice_reload',
  unverified: 'reception.advice_operator',
  rejected: 'reception.advice_reload',
  sms_balance: 'reception.advice_operator',
} as const satisfies Partial<Record<PortalError, MessageKey>>;

export function adviceText(reason: string): string | null {
  return Object.hasOwn(advised, reason) ? t(advised[reason as keyof typeof advised]) : null;
}
