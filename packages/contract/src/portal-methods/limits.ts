import type { GuestLimits } from '../portal-shapes.ts';

type Limit = keyof GuestLimits;

/** Limits that a method's voucher, card, package or account sets instead, or that need guests it can tell apart. */
const idle: Readonly<Record<string, readonly Limit[]>> = {
  one_click: ['devices'],
  password: ['devices'],
  dynamic_password: ['devices'],
  voucher: ['minutes', 'devices'],
  account: ['devices'],
  recharge_card: ['minutes', 'devices'],
  purchase: ['minutes', 'devices'],
};

export const hasLimit = (kind: string, limit: Limit): boolean => !idle[kind]?.includes(limit);
