import type { billingNotices as source } from '../zh-cn/billing-notices.ts';

export const billingNotices: Record<keyof typeof source, string> = {
  'message.transferConfirmed.title': 'Transfer of {amount} yuan confirmed',
  'message.transferConfirmed.body': 'The payment of order {order} has arrived and is booked.',
  'message.transferRefused.title': 'Order of {amount} yuan refused',
  'message.transferRefused.body': 'Order {order} was refused: {reason}',
  'message.withdrawalApproved.title': 'Withdrawal of {amount} yuan approved',
  'message.withdrawalApproved.body':
    'The withdrawal of {amount} yuan is approved. The administrator transfers the money next.',
  'message.invoiceIssued.title': 'Invoice issued: {amount} yuan',
  'message.invoiceIssued.body': 'Invoice {number} over {amount} yuan was issued.',
  'message.invoiceRefused.title': 'Invoice refused: {amount} yuan',
  'message.invoiceRefused.body':
    'The invoice over {amount} yuan was refused: {reason}. Its payments can be invoiced again.',
  'message.smsLow.title': 'SMS balance low: {left} messages left',
  'message.smsLow.body': 'Without balance no SMS is sent. Buy a pack on the SMS payment log of a network.',
  'message.withdrawalPaid.title': 'Withdrawal paid: {amount} yuan',
  'message.withdrawalPaid.body':
    '{amount} yuan were transferred to the bank card (transfer number {receipt}); the fee was {fee} yuan.',
  'message.withdrawalRefused.title': 'Withdrawal of {amount} yuan refused',
  'message.withdrawalRefused.body': 'Reason: {reason}. The {amount} yuan are back in the balance.',
  'message.sdwanExpires.title': 'SD-WAN ends in {days, plural, one {# day} other {# days}}',
  'message.sdwanExpires.body': 'The SD-WAN package of this account ends soon. Renew it to keep the tunnels.',
  'message.sdwanExpired.title': 'SD-WAN has expired',
  'message.sdwanExpired.body':
    'The SD-WAN package of this account has ended. The tunnels stay up for {days, plural, one {# more day} other {# more days}} and are then taken down; plans are kept.',
};
