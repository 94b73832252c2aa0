import type { PortalMethodKind } from '@yunxun/contract';
import { accountText } from './account/text.ts';
import { dingtalkText } from './dingtalk/text.ts';
import { dynamicPasswordText } from './dynamic-password/text.ts';
import type { MethodText } from './method-text.ts';
import { oidcText } from './oidc/text.ts';
import { oneClickText } from './one-click/text.ts';
import { passwordText } from './password/text.ts';
import { purchaseText } from './purchase/text.ts';
import { rechargeCardText } from './recharge-card/text.ts';
import { smsText } from './sms/text.ts';
import { sponsorText } from './sponsor/text.ts';
import { voucherText } from './voucher/text.ts';
import { wechatText } from './wechat/text.ts';
import { wecomText } from './wecom/text.ts';

export const methodTexts: Readonly<Record<PortalMethodKind, MethodText>> = {
  one_click: oneClickText,
  password: passwordText,
  dynamic_password: dynamicPasswordText,
  voucher: voucherText,
  account: accountText,
  sms: smsText,
  recharge_card: rechargeCardText,
  purchase: purchaseText,
  sponsor: sponsorText,
  oidc: oidcText,
  wechat: wechatText,
  wecom: wecomText,
  dingtalk: dingtalkText,
};
