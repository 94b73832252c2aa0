export const billingNotices = {
  'message.transferConfirmed.title': '转账 {amount} 元已确认',
  'message.transferConfirmed.body': '订单 {order} 的款项已到账并入账。',
  'message.transferRefused.title': '订单 {amount} 元被驳回',
  'message.transferRefused.body': '订单 {order} 被驳回：{reason}',
  'message.twoPersonsAsked.title':
    '{kind, select, member_remove {{person} 申请移除成员 {name}} role_update {{person} 申请修改角色 {name} 的权限} other {{person} 申请修改 {name} 的权限}}',
  'message.twoPersonsAsked.body':
    '{kind, select, member_remove {移除 {name} 后，可办理资金的成员将少于两人，因此须由另一人复核。} other {更改 {name} 后，可办理资金的成员将少于两人，因此须由另一人复核。}}请在“账号”页面或“交易”中通过或驳回。',
  'message.twoPersonsStoodIn.title': '平台管理员代为复核：{name}',
  'message.twoPersonsStoodIn.body': '关于 {name} 的申请在 72 小时内没有可复核的第二人，已由平台管理员 {person} 通过。',
  'message.limitAsked.title': '{to, select, — {{person} 申请取消双人复核} other {{person} 申请提高双人复核金额}}',
  'message.limitAsked.body':
    '{to, select, — {目前超过 {from} 元须双人复核，拟改为任何金额均可一人办理。} other {双人复核金额拟由 {from} 元改为 {to} 元。}}请在“平台管理 → 提现”中通过或驳回。',
  'message.limitLoosening.title': '{to, select, — {双人复核拟取消} other {双人复核金额拟提高}}',
  'message.limitLoosening.body':
    '{to, select, — {本平台唯一的管理员申请取消双人复核（现为超过 {from} 元须双人复核），72 小时后可生效。} other {本平台唯一的管理员申请把双人复核金额由 {from} 元改为 {to} 元，72 小时后可生效。}}此前申请的退款和提现仍按原金额复核。',
  'message.limitLoosened.title': '{to, select, — {双人复核已取消} other {双人复核金额已提高}}',
  'message.limitLoosened.body':
    '{to, select, — {本平台唯一的管理员在公告 72 小时后取消了双人复核（原为超过 {from} 元须双人复核）。} other {本平台唯一的管理员在公告 72 小时后，把双人复核金额由 {from} 元改为 {to} 元。}}',
  'message.limitLooseningEnded.title': '双人复核金额不再放宽',
  'message.limitLooseningEnded.body': '{person} 终止了放宽双人复核金额的申请，超过 {limit} 元仍须双人复核。',
  'message.withdrawalApproved.title': '提现 {amount} 元已通过审批',
  'message.withdrawalApproved.body': '{amount} 元的提现已通过审批，管理员将进行转账。',
  'message.invoiceIssued.title': '发票已开具：{amount} 元',
  'message.invoiceIssued.body': '发票 {number} 已开具，金额 {amount} 元。',
  'message.invoiceRefused.title': '发票申请被驳回：{amount} 元',
  'message.invoiceRefused.body': '{amount} 元的发票申请被驳回：{reason}。相关付款可重新申请开票。',
  'message.smsLow.title': '短信余额不足：剩余 {left} 条',
  'message.smsLow.body': '余额用完后，访客将收不到短信验证码。请在网络的短信支付记录中购买短信包。',
  'message.withdrawalPaid.title': '提现已到账：{amount} 元',
  'message.withdrawalPaid.body': '{amount} 元已转账至银行卡（流水号 {receipt}），手续费 {fee} 元。',
  'message.withdrawalRefused.title': '提现 {amount} 元被驳回',
  'message.withdrawalRefused.body': '原因：{reason}。{amount} 元已退回余额。',
  'message.sdwanExpires.title': 'SD-WAN 将在 {days} 天后到期',
  'message.sdwanExpires.body': '本账号的 SD-WAN 套餐即将到期。续费后隧道不受影响。',
  'message.sdwanExpired.title': 'SD-WAN 已到期',
  'message.sdwanExpired.body': '本账号的 SD-WAN 套餐已到期。隧道再保留 {days} 天，之后拆除；组网方案会保留。',
} as const;
