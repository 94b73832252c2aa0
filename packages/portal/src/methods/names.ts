import type { PortalMethodKind } from '@yunxun/contract';
import type { PageLocale } from '../catalogue.ts';
import { accountName } from './account/name.ts';
import { dingtalkName } from './dingtalk/name.ts';
import { dynamicPasswordName } from './dynamic-password/name.ts';
import { oidcName } from './oidc/name.ts';
import { oneClickName } from './one-click/name.ts';
import { passwordName } from './password/name.ts';
import { purchaseName } from './purchase/name.ts';
import { rechargeCardName } from './recharge-card/name.ts';
import { smsName } from './sms/name.ts';
import { sponsorName } from './sponsor/name.ts';
import { voucherName } from './voucher/name.ts';
import { wechatName } from './wechat/name.ts';
import { wecomName } from './wecom/name.ts';

/** For operators, in the order of lists and filters. */
export const methodNames: Readonly<Record<PortalMethodKind, Readonly<Record<PageLocale, string>>>> = {
  one_click: oneClickName,
  password: passwordName,
  dynamic_password: dynamicPasswordName,
  voucher: voucherName,
  account: accountName,
  sms: smsName,
  recharge_card: rechargeCardName,
  purchase: purchaseName,
  sponsor: sponsorName,
  oidc: oidcName,
  wechat: wechatName,
  wecom: wecomName,
  dingtalk: dingtalkName,
};

export const methodKinds = (): PortalMethodKind[] => Object.keys(methodNames) as PortalMethodKind[];

export const methodName = (locale: PageLocale, kind: PortalMethodKind): string => methodNames[kind][locale];
