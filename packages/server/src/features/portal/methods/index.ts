import type { LoginMethodKind, PortalMethodKind } from '@yunxun/contract';
import { portalShapes } from '@yunxun/contract';
import type { PortalError } from '@yunxun/portal';
import type { Form } from '../page-frame.ts';
import { account } from './account.ts';
import { dingtalk } from './dingtalk.ts';
import { dynamicPassword } from './dynamic-password/index.ts';
import type { IdentityProvider, LoginMethod, ProviderOptions } from './login/provider.ts';
import type { AnyMethod, Method } from './method.ts';
import { oidc } from './oidc.ts';
import { oneClick } from './one-click.ts';
import { password } from './password.ts';
import { purchase } from './purchase/index.ts';
import { rechargeCard } from './recharge-card.ts';
import { sms } from './sms/index.ts';
import { sponsor } from './sponsor/index.ts';
import { voucher } from './voucher.ts';
import { wechat } from './wechat.ts';
import { wecom } from './wecom.ts';

export const methods: { readonly [K in PortalMethodKind]: Method<K> } = {
  one_click: oneClick,
  password,
  dynamic_password: dynamicPassword,
  voucher,
  account,
  sms,
  recharge_card: rechargeCard,
  purchase,
  sponsor,
  oidc,
  wechat,
  wecom,
  dingtalk,
};

export const allMethods = (): AnyMethod[] => Object.values(methods);

export const methodNamed = (kind: string): AnyMethod | undefined =>
  Object.hasOwn(methods, kind) ? methods[kind as PortalMethodKind] : undefined;

export const typedIn = (way: string, form: Form): string => methodNamed(way)?.typed?.(form) ?? '';

export const isWrongGuess = (reason: PortalError): boolean =>
  allMethods().some(({ wrong = [] }) => wrong.includes(reason));

/** For tests. */
export type LoginEndpoints = Partial<Record<LoginMethodKind, string>>;
export type IdentityProviders = Readonly<Record<LoginMethodKind, IdentityProvider<LoginMethod>>>;

export function createIdentityProviders({
  endpoints = {},
  ...options
}: Omit<ProviderOptions, 'endpoint'> & { endpoints: LoginEndpoints | undefined }): IdentityProviders {
  const made = portalShapes.loginMethods.map((kind) => {
    const provider = methods[kind].createProvider({ ...options, endpoint: endpoints[kind] });
    return [kind, provider] as const;
  });
  return Object.fromEntries(made) as IdentityProviders;
}
