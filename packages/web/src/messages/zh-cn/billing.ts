/** 资金相关界面的文字。 */
export const billing = {
  'billing.balance': '余额',
  'billing.balance_why': '来自账本中的每一笔记账。充值、提现与收入入账随认证门户和充值卡功能提供。',
  'billing.coupons': '可用优惠券',
  'billing.coupons_none': '优惠券功能尚未提供，因此没有数据。',
  'billing.cards': '可用充值卡',
  'billing.cards_none': '充值卡功能尚未提供，因此没有数据。',
  'billing.none': '暂无',
} as const;
