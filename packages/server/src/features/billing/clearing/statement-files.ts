import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { billingClearing } from '@yunxun/contract';
import { invalid } from '../../../platform/failure.ts';
import { BadArchive, unzip } from '../../../platform/http/unzip.ts';
import { readCsv } from '../../../platform/spreadsheet.ts';

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

const maxUnpackedBytes = 32 * 1024 * 1024;

interface Table {
  header: string[];
  rows: { line: number; cells: string[] }[];
}

const plain = (name: string) =>
  name
    .replace(/^[\uFEFF`]+/, '')
    .replaceAll('（', '(')
    .replaceAll('）', ')')
    .trim();

/** Finds cells by the name of their column. */
function columnsOf({ header }: Table) {
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

function fenAt(text: string, line: number): number {
  const amount = text.replace(/^[+¥￥]/, '').replaceAll(',', '');
  if (!/^-?\d+(\.\d+)?$/.test(amount)) return invalid('file', 'clearing.bad_amount', { line });
  return Math.round(Number(amount) * 100);
}

function dayAt(text: string, line: number): string {
  const [, year, month, day] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})/.exec(text) ?? [];
  if (!year) return invalid('file', 'clearing.bad_day', { line });
  return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}

type Dated = Omit<StatementLine, 'number' | 'day'> & { at: string };

/** One batch a file: its providers settle by day. */
function ofOneDay(lines: readonly Dated[]): Statement {
  const day =
    lines
      .map(({ at }) => at)
      .toSorted()
      .at(-1) ?? '';
  const number = day.replaceAll('-', '');
  return { lines: lines.map(({ at: _at, ...line }) => ({ ...line, number, day })), pending: 0 };
}

/** Adds fees that have lines of their own to the lines that they are of. */
function withFees(lines: readonly Dated[], fees: readonly Dated[]): Dated[] {
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

const signOf = (kind: StatementLine['kind']) => (kind === 'refund' ? -1 : 1);

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

function readWechat(text: string): Statement {
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

function kindOf(type: string, fen: number): StatementLine['kind'] {
  if (/退款/.test(type)) return fen < 0 ? 'refund' : 'back';
  return /交易|付款|支付|收款/.test(type) && fen > 0 ? 'payment' : 'other';
}

function readAlipay(text: string): Statement {
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
function readStripe(text: string): Statement {
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

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

/** @throws Invalid beside `file` */
async function unpack(file: Buffer): Promise<string> {
  try {
    if (file[0] === 0x1f && file[1] === 0x8b)
      return textOf(await promisify(gunzip)(file, { maxOutputLength: maxUnpackedBytes }));
    if (file.subarray(0, 2).toString('latin1') !== 'PK') return textOf(file);
    const texts = [...unzip(file, () => true, maxUnpackedBytes).values()].map(textOf);
    return texts.find((text) => text.includes('商户订单号')) ?? texts[0] ?? '';
  } catch (error) {
    if (
      error instanceof BadArchive ||
      (error as { code?: string }).code?.startsWith('Z') ||
      error instanceof RangeError
    )
      return invalid('file', 'clearing.unreadable');
    throw error;
  }
}

const readers: Readonly<Record<billingClearing.StatementProvider, (text: string) => Statement>> = {
  wechat: readWechat,
  alipay: readAlipay,
  stripe: readStripe,
};

/** @throws Invalid beside `file` */
export async function readStatement(provider: billingClearing.StatementProvider, file: Buffer): Promise<Statement> {
  const statement = readers[provider](await unpack(file));
  if (statement.lines.length === 0 && statement.pending === 0) invalid('file', 'clearing.empty');
  return statement;
}
