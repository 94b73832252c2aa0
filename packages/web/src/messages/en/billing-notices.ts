import type { billingNotices as source } from '../zh-cn/billing-notices.ts';

export const billingNotices: Record<keyof typeof source, string> = {
  'message.transferConfirmed.title': 'Transfer of CNY {amount} confirmed',
  'message.transferConfirmed.body': 'The payment of order {order} has arrived and is booked.',
  'message.transferRefused.title': 'Order of CNY {amount} refused',
  'message.transferRefused.body': 'Order {order} was refused: {reason}',
  'message.clearingShort.title': 'Less money is held than is owed to accounts',
  'message.clearingShort.body':
    'CNY {owed} is owed to accounts, CNY {held} is held. Check it under Installation, Clearing.',
  'message.twoPersonsAsked.title':
    '{kind, select, member_remove {{person} asks to remove the member {name}} role_update {{person} asks to change the permissions of the role {name}} other {{person} asks to change the rights of {name}}}',
  'message.twoPersonsAsked.body':
    '{kind, select, member_remove {The removal of {name} leaves fewer than two persons to decide on money, so it waits for a second person.} other {The change of {name} leaves fewer than two persons to decide on money, so it waits for a second person.}} Confirm or refuse it on the account’s page or under Transactions.',
  'message.twoPersonsStoodIn.title': 'The administrator decided on {name} in place of a second person',
  'message.twoPersonsStoodIn.body':
    'No second person was left to decide on {name} for 72 hours. {person}, an administrator of this installation, confirmed it.',
  'message.limitAsked.title':
    '{to, select, — {{person} asks to remove the two-person limit} other {{person} asks for a higher two-person limit}}',
  'message.limitAsked.body':
    '{to, select, — {Two persons decide above CNY {from}. In future one person is to be enough for every amount.} other {The limit above which two persons decide is to change from {from} to CNY {to}.}} Confirm or refuse it under Installation, Withdrawals.',
  'message.limitLoosening.title':
    '{to, select, — {The two-person limit is to be removed} other {The two-person limit is to be raised}}',
  'message.limitLoosening.body':
    '{to, select, — {The only administrator of this installation asks to remove the limit of CNY {from} above which two persons decide.} other {The only administrator of this installation asks to change the limit above which two persons decide from {from} to CNY {to}.}} It can take effect after 72 hours. Refunds and withdrawals that were requested before keep the present limit.',
  'message.limitLoosened.title':
    '{to, select, — {The two-person limit was removed} other {The two-person limit was raised}}',
  'message.limitLoosened.body':
    '{to, select, — {The only administrator of this installation removed the limit of CNY {from} above which two persons decide, 72 hours after it was announced.} other {The only administrator of this installation changed the limit above which two persons decide from {from} to CNY {to}, 72 hours after it was announced.}}',
  'message.limitLooseningEnded.title': 'The two-person limit is not loosened',
  'message.limitLooseningEnded.body':
    '{person} ended the request to loosen the limit. Two persons decide above CNY {limit}.',
  'message.withdrawalApproved.title': 'Withdrawal of CNY {amount} approved',
  'message.withdrawalApproved.body':
    'The withdrawal of CNY {amount} is approved. The administrator transfers the money next.',
  'message.invoiceIssued.title': 'Invoice issued: CNY {amount}',
  'message.invoiceIssued.body': 'Invoice {number} over CNY {amount} was issued.',
  'message.fapiaoAsked.title': "Guest's invoice requested: CNY {amount}",
  'message.fapiaoAsked.body':
    'A guest asked for an invoice over CNY {amount} for order {order}, or a refund needs a red one. Issue it in your tax system, then enter its number.',
  'message.fapiaoFailed.title': "Guest's invoice failed: order {order}",
  'message.fapiaoFailed.body': 'The invoice of order {order} was not issued: {reason}',
  'message.invoiceRefused.title': 'Invoice refused: CNY {amount}',
  'message.invoiceRefused.body':
    'The invoice over CNY {amount} was refused: {reason}. Its payments can be invoiced again.',
  'message.smsLow.title': 'SMS balance low: {left} messages left',
  'message.smsLow.body': 'Without balance no SMS is sent. Buy a pack on the SMS payment log of a network.',
  'message.withdrawalPaid.title': 'Withdrawal paid: CNY {amount}',
  'message.withdrawalPaid.body':
    'CNY {amount} was transferred to the bank card (transfer number {receipt}); the fee was CNY {fee}.',
  'message.withdrawalRefused.title': 'Withdrawal of CNY {amount} refused',
  'message.withdrawalRefused.body': 'Reason: {reason}. CNY {amount} is back in the balance.',
  'message.sdwanExpires.title': 'SD-WAN ends in {days, plural, one {# day} other {# days}}',
  'message.sdwanExpires.body': 'The SD-WAN package of this account ends soon. Renew it to keep the tunnels.',
  'message.sdwanExpired.title': 'SD-WAN has expired',
  'message.sdwanExpired.body':
    'The SD-WAN package of this account has ended. The tunnels stay up for {days, plural, one {# more day} other {# more days}} and are then taken down; plans are kept.',
};
