import { dingtalk } from './dingtalk.ts';
import { dynamicPassword } from './dynamic-password.ts';
import { type MethodShape, plain } from './method.ts';
import { oidc } from './oidc.ts';
import { password } from './password.ts';
import { sponsor } from './sponsor.ts';
import { wechat } from './wechat.ts';
import { wecom } from './wecom.ts';

/** In the order of lists and filters. */
export const methodShapes = {
  one_click: plain,
  password,
  dynamic_password: dynamicPassword,
  voucher: plain,
  account: plain,
  sms: plain,
  /** The card's package sets minutes, devices and rates. */
  recharge_card: plain,
  /** The package that the guest buys sets them. */
  purchase: plain,
  sponsor,
  oidc,
  wechat,
  wecom,
  dingtalk,
} as const satisfies Readonly<Record<string, MethodShape>>;
