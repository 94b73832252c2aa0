import type { billing as zh } from '../zh-cn/billing.ts';

export const billing: Record<keyof typeof zh, string> = {
  'billing.balance': 'Balance',
  'billing.balance_why':
    'From every booking in the ledger. Payments, withdrawals and income are booked once the portal and recharge cards exist.',
  'billing.coupons': 'Usable coupons',
  'billing.coupons_none': 'There are no coupons in the product yet, so there is no number.',
  'billing.cards': 'Usable recharge cards',
  'billing.cards_none': 'There are no recharge cards in the product yet, so there is no number.',
  'billing.none': 'None',
};
