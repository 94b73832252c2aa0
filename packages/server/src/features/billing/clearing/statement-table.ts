import { invalid } from '../../../platform/failure.ts';

export interface StatementLine {
  /** Number and day of the settlement batch. */
  number: string;
  day: string;
  kind: 'payment' | 'refund' | 'back' | 'other';
  orderNo: string;
  refundNo: string;
  /** Payments positive, refunds negative. */
  fen: number;
  /** Taken by the provider positive. */
  feeFen: number;
  reference: string;
}

export interface Statement {
  lines: StatementLine[];
  pending: number;
}

export interface Table {
  header: string[];
  rows: { line: number; cells: string[] }[];
}

export const plain = (name: string) =>
  name
    .replace(/^[\uFEFF`]+/, '')
    .replaceAll('（', '(')
    .replaceAll('）', ')')
    .trim();

/** Finds cells by the name of their column. */
export function columnsOf({ header }: Table) {
  const at = (names: readonly string[]) => names.map((name) => header.indexOf(name)).find((found) => found >= 0);
  return {
    has: (...names: string[]) => at(names) !== undefined,
    needed(...names: string[]) {
      const found = at(names);
      if (found === undefined) return invalid('file', 'clearing.no_column', { column: names[0]! });
      return (cells: readonly string[]) => cells[found] ?? '';
    },
    optional(...names: string[]) {
      const found = at(names);
      return (cells: readonly string[]) => (found === undefined ? '' : (cells[found] ?? ''));
    },
    fee(...names: string[]) {
      const found = at(names);
      if (found === undefined) return invalid('file', 'clearing.no_fee');
      return (cells: readonly string[]) => cells[found] ?? '';
    },
  };
}

export function fenAt(text: string, line: number): number {
  const amount = text.replace(/^[+¥￥]/, '').replaceAll(',', '');
  if (!/^-?\d+(\.\d+)?$/.test(amount)) return invalid('file', 'clearing.bad_amount', { line });
  return Math.round(Number(amount) * 100);
}

export function dayAt(text: string, line: number): string {
  const [, year, month, day] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})/.exec(text) ?? [];
  if (!year) return invalid('file', 'clearing.bad_day', { line });
  return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}

export type Dated = Omit<StatementLine, 'number' | 'day'> & { at: string };

/** One batch a file: its providers settle by day. */
export function ofOneDay(lines: readonly Dated[]): Statement {
  const day =
    lines
      .map(({ at }) => at)
      .toSorted()
      .at(-1) ?? '';
  const number = day.replaceAll('-', '');
  return { lines: lines.map(({ at: _at, ...line }) => ({ ...line, number, day })), pending: 0 };
}

/** Adds fees that have lines of their own to the lines that they are of. */
export function withFees(lines: readonly Dated[], fees: readonly Dated[]): Dated[] {
  if (fees.length === 0 && lines.some(({ kind }) => kind === 'payment')) invalid('file', 'clearing.no_fee');
  const whole = lines.map((line) => ({ ...line }));
  const left = fees.flatMap((fee) => {
    const isOf = ({ orderNo, reference }: Dated) =>
      (fee.orderNo !== '' && orderNo === fee.orderNo) || (fee.reference !== '' && reference === fee.reference);
    const of = whole.find((line) => isOf(line) && (line.kind === 'payment') === fee.feeFen > 0) ?? whole.find(isOf);
    if (!of) return [fee];
    of.feeFen += fee.feeFen;
    return [];
  });
  return [...whole, ...left];
}

export const signOf = (kind: StatementLine['kind']) => (kind === 'refund' ? -1 : 1);

export function kindOf(type: string, fen: number): StatementLine['kind'] {
  if (/退款/.test(type)) return fen < 0 ? 'refund' : 'back';
  return /交易|付款|支付|收款/.test(type) && fen > 0 ? 'payment' : 'other';
}
