import type * as source from './sms-zh-cn.ts';

export const sms = {
  'orders.sms': 'SMS',
  'orders.smsPack': '{count} SMS',
  'sms_pay.count_unknown': 'There is no pack of this size',
  'sms_pay.not_sold': 'This installation does not charge for SMS: there is nothing to buy',
  'delivery.to_file':
    'This installation has no provider for such messages: it was only written to outbox.ndjson in the server’s data folder',
  'delivery.sms_balance': 'The SMS balance of the account is used up (4107)',
} as const satisfies Readonly<Record<keyof typeof source.sms, string>>;
