import { invalid } from '../../../platform/failure.ts';
import { readCsv } from '../../../platform/spreadsheet.ts';
import { columnsOf, dayAt, fenAt, plain, type Statement, type StatementLine, type Table } from './statement-table.ts';

const stripeKinds: Readonly<Record<string, StatementLine['kind']>> = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  dispute: 'refund',
  refund_failure: 'back',
  payment_failure_refund: 'back',
  dispute_reversal: 'back',
};

/** Itemized payout reconciliation report, or export of balance transactions. */
export function readStripe(text: string): Statement {
  const [first = [], ...rest] = readCsv(text);
  const table: Table = {
    header: first.map(plain),
    rows: rest.map((cells, at) => ({ line: at + 2, cells })).filter(({ cells }) => cells.some((cell) => cell !== '')),
  };
  const columns = columnsOf(table);
  const reference = columns.needed('balance_transaction_id', 'id');
  const category = columns.needed('reporting_category', 'Type');
  const currency = columns.needed('currency', 'Currency');
  const gross = columns.needed('gross', 'Amount');
  const payout = columns.needed('automatic_payout_id', 'Transfer');
  const day = columns.needed('automatic_payout_effective_at', 'available_on', 'Available On (UTC)');
  const orderNo = columns.needed('payment_metadata[order_no]', 'order_no (metadata)');
  const refundNo = columns.optional('refund_metadata[refund_no]', 'refund_no (metadata)');
  const fee = columns.fee('fee', 'Fee');
  let pending = 0;
  const lines = table.rows.flatMap(({ line, cells }): StatementLine[] => {
    if (category(cells) === 'payout') return [];
    if (payout(cells) === '') {
      pending += 1;
      return [];
    }
    if (currency(cells).toLowerCase() !== 'cny')
      invalid('file', 'clearing.currency', { line, currency: currency(cells).toUpperCase() });
    const isFee = /fee/.test(category(cells));
    const fen = fenAt(gross(cells), line);
    return [
      {
        number: payout(cells),
        day: dayAt(day(cells), line),
        kind: stripeKinds[category(cells)] ?? 'other',
        orderNo: orderNo(cells),
        refundNo: refundNo(cells),
        fen: isFee ? 0 : fen,
        feeFen: fenAt(fee(cells), line) - (isFee ? fen : 0),
        reference: reference(cells),
      },
    ];
  });
  return { lines, pending };
}
