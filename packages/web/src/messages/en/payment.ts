import type * as source from '../zh-cn/payment.ts';

export const payment = {
  'payment.method': 'Payment method',
  'payment.transfer': 'Bank transfer',
  'payment.price': 'Amount: {price}',
  'payment.balance_hint': 'Paid from the account’s balance and delivered at once.',
  'payment.sandbox_hint': 'The sandbox is for trying out: no real money moves.',
  'payment.manual_hint':
    'Shows the bank account after ordering. Delivered once the administrator has confirmed the money.',
  'payment.provider_hint': 'You pay on the page of the payment provider.',
  'payment.no_method':
    'There is no payment method yet. The administrator of the installation sets them up under Payments.',
  'payment.ordered': 'The order is placed and is delivered once its payment is confirmed',
  'payment.coupon': 'Coupon',
  'payment.coupon_none': 'None',
  'payment.coupon_of': '{name} ({value})',
  'payment.coupon_type': 'Enter a code',
  'payment.coupon_code': 'Coupon code',
  'payment.coupon_quote': '{off} off, {price} to pay',
  'payment.coupon_taken': 'Coupon {code}, {off} off',
  'payment.own_coupons': 'Coupons of this account',
  'payment.own_coupons_none':
    'No usable coupons. The administrator of the installation issues them for SMS packs and SD-WAN packages.',
  'payment.uses_left': 'Uses left',
  'payment.transfer_about':
    'Transfer the amount to this account, and write the reference into the remark of the transfer.',
  'payment.amount': 'Amount',
  'payment.payee': 'Payee',
  'payment.account_no': 'Account number',
  'payment.bank': 'Bank',
  'payment.reference': 'Reference',
  'payment.copy': 'Copy: {name}',
  'payment.bank_offer': 'Offer to accounts',
  'payment.bank_about':
    'An account that pays an order by bank transfer sees this bank account and the order’s reference.',
  'payment.bank_saved': 'The bank account has been saved',
} as const satisfies Readonly<Record<keyof typeof source.payment, string>>;
