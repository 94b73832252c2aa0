import type { PortalMethodKind, SettingsMethodKind } from '@yunxun/contract';
import { dingtalk } from './dingtalk.tsx';
import { dynamicPassword } from './dynamic-password.tsx';
import type { MethodSettings } from './method-settings.ts';
import { oidc } from './oidc.tsx';
import { password } from './password.tsx';
import { sponsor } from './sponsor.tsx';
import { wechat } from './wechat.tsx';
import { wecom } from './wecom.tsx';

export const methodSettings: Readonly<Record<SettingsMethodKind, MethodSettings>> = {
  password,
  dynamic_password: dynamicPassword,
  sponsor,
  oidc,
  wechat,
  wecom,
  dingtalk,
};

/** Undefined: the method has only the limits of all. */
export const settingsOf = (kind: PortalMethodKind): MethodSettings | undefined =>
  (methodSettings as Partial<Record<PortalMethodKind, MethodSettings>>)[kind];
