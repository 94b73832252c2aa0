import { invalid } from '../../../platform/failure.ts';
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

export function readAlipay(text: string): Statement {
  const all = text.split(/\r?\n/).map((row, at) => ({ line: at + 1, row }));
  const [head, ...rows] = all.filter(({ row }) => row.trim() !== '' && !/^[#\uFEFF]*#/.test(row));
  const cellsOf = (row: string) => row.split(',').map((cell) => cell.trim());
  const table: Table = {
    header: cellsOf(head?.row ?? '').map(plain),
    rows: rows.map(({ line, row }) => ({ line, cells: cellsOf(row) })),
  };
  for (const { line, cells } of table.rows)
    if (cells.length !== table.header.length) invalid('file', 'clearing.bad_line', { line });
  return columnsOf(table).has('收入金额(+元)') ? alipayFunds(table) : alipayTrades(table);
}

function alipayTrades(table: Table): Statement {
  const columns = columnsOf(table);
  const at = columns.needed('完成时间');
  const no = columns.needed('商户订单号');
  const type = columns.needed('业务类型');
  const amount = columns.needed('商家实收(元)', '订单金额(元)');
  const request = columns.optional('退款批次号/请求号');
  const reference = columns.optional('支付宝交易号');
  const fee = columns.fee('服务费(元)');
  return ofOneDay(
    table.rows.map(({ line, cells }) => {
      const kind = type(cells) === '退款' ? 'refund' : 'payment';
      return {
        at: dayAt(at(cells), line),
        kind,
        orderNo: no(cells),
        refundNo: kind === 'refund' ? request(cells) : '',
        fen: signOf(kind) * Math.abs(fenAt(amount(cells), line)),
        feeFen: signOf(kind) * Math.abs(fenAt(fee(cells), line)),
        reference: reference(cells),
      };
    }),
  );
}

function alipayFunds(table: Table): Statement {
  const columns = columnsOf(table);
  const at = columns.needed('发生时间');
  const no = columns.needed('商户订单号');
  const type = columns.needed('业务类型');
  const income = columns.needed('收入金额(+元)');
  const expense = columns.needed('支出金额(-元)');
  const reference = columns.optional('业务流水号', '账务流水号');
  const lines: Dated[] = [];
  const fees: Dated[] = [];
  for (const { line, cells } of table.rows) {
    if (/提现/.test(type(cells))) continue;
    const part = (text: string) => (text === '' ? 0 : Math.abs(fenAt(text, line)));
    const fen = part(income(cells)) - part(expense(cells));
    const isFee = /收费|退费|服务费/.test(type(cells));
    (isFee ? fees : lines).push({
      at: dayAt(at(cells), line),
      kind: isFee ? 'other' : kindOf(type(cells), fen),
      orderNo: no(cells),
      refundNo: '',
      fen: isFee ? 0 : fen,
      feeFen: isFee ? -fen : 0,
      reference: reference(cells),
    });
  }
  return ofOneDay(withFees(lines, fees));
}
