export const vouchers = {
  'vouchers.title': '会计软件凭证',
  'vouchers.codes': '科目设置',
  'vouchers.codes_about': '各账簿在凭证中对应的会计科目。默认按小企业会计准则，请与会计核对后修改。',
  'vouchers.codes_saved': '科目已保存',
  'vouchers.code': '科目代码',
  'vouchers.account': '科目名称',
  'vouchers.layout': '格式',
  'vouchers.layout_plain': '通用',
  'vouchers.layout_kis': '金蝶 KIS',
  'vouchers.layout_t3': '用友 T3',
  'vouchers.final': '共 {n} 张凭证，借贷合计 {debit}。本月已结账，凭证号不再变化。',
  'vouchers.provisional': '目前 {n} 张凭证，借贷合计 {debit}。结账前凭证号为暂编号。',
} as const;
