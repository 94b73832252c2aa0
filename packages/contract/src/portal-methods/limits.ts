import type { GuestLimits, PortalMethodKind } from '../portal-shapes.ts';

type Limit = keyof GuestLimits;

/** Limits that a method's voucher, card, package or account sets instead, or that need guests it can tell apart. */
const idle: Readonly<Record<PortalMethodKind, readonly Limit[]>> = {
  one_click: ['devices'],
  password: ['devices'],
  dynamic_password: ['devices'],
  voucher: ['minutes', 'devices'],
  account: ['devices'],
  recharge_card: ['minutes', 'devices'],
  purchase: ['minutes', 'devices'],
  sms: [],
  sponsor: [],
  oidc: [],
  wechat: [],
  wecom: [],
  dingtalk: [],
};

export const hasLimit = (kind: PortalMethodKind, limit: Limit): boolean => !idle[kind].includes(limit);
