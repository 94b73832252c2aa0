export const vouchers = {
  'vouchers.title': 'Vouchers for accounting programs',
  'vouchers.codes': 'Account codes',
  'vouchers.codes_about':
    'The account of each ledger in vouchers. At first they follow the accounts of small enterprises in China; your accountant knows yours.',
  'vouchers.codes_saved': 'Account codes saved',
  'vouchers.code': 'Code',
  'vouchers.account': 'Account',
  'vouchers.layout': 'Columns',
  'vouchers.layout_plain': 'Plain',
  'vouchers.layout_kis': 'Kingdee KIS',
  'vouchers.layout_t3': 'Yonyou T3',
  'vouchers.final':
    '{n, plural, one {# voucher} other {# vouchers}}, {debit} in debit and credit. The month is closed: the numbers stay.',
  'vouchers.provisional':
    '{n, plural, one {# voucher} other {# vouchers}} so far, {debit} in debit and credit. Numbers are provisional until the month is closed.',
} as const;
