import type { OrderKind } from './order-kind.ts';

/** Into the account's own balance. */
export const rechargeKind: OrderKind = {
  kind: 'recharge',
  ledger: 'recharged',
  title: () => ({ key: 'recharge', params: {} }),
  // the booking is the delivery
  paid: async () => undefined,
};
