export const sms = {
  'orders.sms': '短信',
  'orders.smsPack': '{count} 条短信',
  'sms_pay.count_unknown': '没有这个数量的短信包',
  'sms_pay.not_sold': '本安装发送短信不收费，无需购买短信包',
  'delivery.to_file': '平台没有配置对应的发送服务，消息只写入了服务器数据目录的 outbox.ndjson',
  'delivery.sms_balance': '账号的短信余额已用完（4107）',
} as const;
