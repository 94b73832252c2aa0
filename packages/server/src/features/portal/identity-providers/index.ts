import { createDingtalk } from './dingtalk.ts';
import { createOidc, type OidcDeps } from './oidc.ts';
import type { IdentityProviders, ProviderOptions } from './provider.ts';
import { createWechat } from './wechat.ts';
import { createWecom } from './wecom.ts';

/** Endpoint overrides for tests. */
export type LoginEndpoints = Partial<Record<'wechat' | 'wecom' | 'dingtalk', string>>;

export function createIdentityProviders({
  endpoints = {},
  ...deps
}: OidcDeps & { endpoints: LoginEndpoints | undefined }): IdentityProviders {
  const at = (kind: keyof LoginEndpoints): ProviderOptions => ({
    endpoint: endpoints[kind],
    privateAddresses: deps.privateAddresses,
  });
  return {
    oidc: createOidc(deps),
    wechat: createWechat(at('wechat')),
    wecom: createWecom(at('wecom')),
    dingtalk: createDingtalk(at('dingtalk')),
  };
}
