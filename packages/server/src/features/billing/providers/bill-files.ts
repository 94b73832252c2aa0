import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { unzip } from '../../../platform/http/unzip.ts';

/** Of the file as it is sent, and unpacked. */
export const maxBillBytes = 8 * 1024 * 1024;
const maxUnpackedBytes = 32 * 1024 * 1024;

export interface BillLine {
  orderNo: string;
  /** Payments positive, refunds negative; NaN if unreadable. */
  fen: number;
}

function fenOf(text = ''): number {
  return /^-?\d+(\.\d+)?$/.test(text) ? Math.abs(Math.round(Number(text) * 100)) : Number.NaN;
}

/** Finds columns by name. @throws Error without one of them */
function columnsOf(header: readonly string[], wanted: readonly (readonly string[])[]): number[] {
  return wanted.map((names) => {
    const found = names.map((name) => header.indexOf(name)).find((at) => at >= 0);
    if (found === undefined) throw new Error(`the statement has no column ${names[0]}`);
    return found;
  });
}

/** Reads the details of Alipay's archive: CSV in GBK between comments; the archive also holds sums. */
export function readAlipayBill(archive: Buffer): BillLine[] {
  const decoder = new TextDecoder('gb18030');
  const files = [...unzip(archive, () => true, maxUnpackedBytes).values()].map((bytes) => decoder.decode(bytes));
  const details = files.find((text) => text.includes('商户订单号'));
  if (!details) throw new Error('the archive has no details');
  const [header = [], ...rows] = details
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').map((cell) => cell.trim()));
  const [no = 0, type = 0, amount = 0] = columnsOf(header, [['商户订单号'], ['业务类型'], ['订单金额（元）']]);
  return rows.map((cells) => {
    // a name with commas shifts what follows it
    const fen = cells.length === header.length ? fenOf(cells[amount]) : Number.NaN;
    return { orderNo: cells[no] ?? '', fen: cells[type] === '退款' ? -fen : fen };
  });
}

export async function unpackWechatBill(file: Buffer): Promise<Buffer> {
  const isPacked = file[0] === 0x1f && file[1] === 0x8b;
  return isPacked ? promisify(gunzip)(file, { maxOutputLength: maxUnpackedBytes }) : file;
}

/** Reads WeChat Pay's CSV, whose cells begin with a backtick; sums follow the lines. */
export function readWechatBill(text: string): BillLine[] {
  const [first = '', ...rows] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const header = first.split(',').map((name) => name.trim());
  const [no = 0, state = 0, amount = 0, refund = 0, refundState = 0] = columnsOf(header, [
    ['商户订单号'],
    ['交易状态'],
    ['订单金额', '总金额'],
    ['申请退款金额', '退款金额'],
    ['退款状态'],
  ]);
  const end = rows.findIndex((row) => !row.startsWith('`'));
  return rows.slice(0, end < 0 ? rows.length : end).flatMap((row) => {
    const cells = row.slice(1).split(',`');
    const orderNo = cells[no] ?? '';
    if (cells[state] === 'SUCCESS') return [{ orderNo, fen: fenOf(cells[amount]) }];
    return cells[refundState] === 'FAIL' ? [] : [{ orderNo, fen: -fenOf(cells[refund]) }];
  });
}
