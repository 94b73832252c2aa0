import {
  columnsOf,
  type Dated,
  dayAt,
  fenAt,
  kindOf,
  ofOneDay,
  plain,
  type Statement,
  signOf,
  type Table,
  withFees,
} from './statement-table.ts';

/** Rows begin with a backtick; sums follow them. */
function wechatTable(text: string): Table {
  const [first = '', ...rest] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = rest.findIndex((row) => !row.startsWith('`'));
  const rows = rest.slice(0, end < 0 ? rest.length : end);
  return {
    header: first.split(',').map(plain),
    rows: rows.map((row, at) => ({ line: at + 2, cells: row.slice(1).split(',`') })),
  };
}

export function readWechat(text: string): Statement {
  const table = wechatTable(text);
  return columnsOf(table).has('收支类型') ? wechatFunds(table) : wechatTrades(table);
}

function wechatTrades(table: Table): Statement {
  const columns = columnsOf(table);
  const at = columns.needed('交易时间');
  const no = columns.needed('商户订单号');
  const state = columns.needed('交易状态');
  const amount = columns.needed('应结订单金额', '订单金额', '总金额');
  const refund = columns.needed('退款金额', '申请退款金额');
  const refundState = columns.needed('退款状态');
  const refundNo = columns.optional('商户退款单号');
  const reference = columns.optional('微信订单号');
  const fee = columns.fee('手续费');
  return ofOneDay(
    table.rows.flatMap(({ line, cells }): Dated[] => {
      const isPayment = state(cells) === 'SUCCESS';
      if (!isPayment && refundState(cells) === 'FAIL') return [];
      const kind = isPayment ? 'payment' : 'refund';
      const sign = signOf(kind);
      return [
        {
          at: dayAt(at(cells), line),
          kind,
          orderNo: no(cells),
          refundNo: isPayment || refundNo(cells) === '0' ? '' : refundNo(cells),
          fen: sign * Math.abs(fenAt(isPayment ? amount(cells) : refund(cells), line)),
          feeFen: sign * Math.abs(fenAt(fee(cells), line)),
          reference: reference(cells),
        },
      ];
    }),
  );
}

/** The number of a refund begins with that of its order. */
const orderOfRefund = (no: string) => no.replace(/-r\d+$/, '');

function wechatFunds(table: Table): Statement {
  const columns = columnsOf(table);
  const at = columns.needed('记账时间');
  const type = columns.needed('业务类型');
  const way = columns.needed('收支类型');
  const amount = columns.needed('收支金额(元)', '收支金额');
  const voucher = columns.needed('业务凭证号');
  const reference = columns.optional('微信支付业务单号');
  const lines: Dated[] = [];
  const fees: Dated[] = [];
  for (const { line, cells } of table.rows) {
    if (/提现/.test(type(cells))) continue;
    const fen = Math.abs(fenAt(amount(cells), line)) * (way(cells) === '支出' ? -1 : 1);
    const isFee = /手续费/.test(type(cells));
    const kind = isFee ? 'other' : kindOf(type(cells), fen);
    (isFee ? fees : lines).push({
      at: dayAt(at(cells), line),
      kind,
      orderNo: orderOfRefund(voucher(cells)),
      refundNo: kind === 'refund' ? voucher(cells) : '',
      fen: isFee ? 0 : fen,
      feeFen: isFee ? -fen : 0,
      reference: reference(cells),
    });
  }
  return ofOneDay(withFees(lines, fees));
}
