export const sms = {
  'orders.sms': '短信',
  'orders.smsPack': '{count} 条短信',
  'sms_pay.count_unknown': '没有这个数量的短信包',
  'delivery.sms_balance': '账号的短信余额已用完（4107）',
} as const;
