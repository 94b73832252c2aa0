import { dingtalk } from './dingtalk.ts';
import { dynamicPassword } from './dynamic-password.ts';
import { type MethodShape, plain } from './method.ts';
import { oidc } from './oidc.ts';
import { password } from './password.ts';
import { sponsor } from './sponsor.ts';
import { wechat } from './wechat.ts';
import { wecom } from './wecom.ts';

/** Sign-in methods of the guest portal, in the order in which lists and filters name them. */
export const methodShapes = {
  one_click: plain,
  password,
  dynamic_password: dynamicPassword,
  voucher: plain,
  account: plain,
  sms: plain,
  /** Minutes, devices and rates are those of the card's package. */
  recharge_card: plain,
  /** Those of the package that the guest buys. */
  purchase: plain,
  sponsor,
  oidc,
  wechat,
  wecom,
  dingtalk,
} as const satisfies Readonly<Record<string, MethodShape>>;
