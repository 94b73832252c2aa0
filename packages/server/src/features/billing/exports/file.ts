import type { billingExports, Locale } from '@yunxun/contract';
import { byteOrderMark, type Cell, csvLine } from '../../../platform/http/csv.ts';
import { xlsx } from '../../../platform/http/xlsx.ts';
import { gbk } from './gbk.ts';
import { headsOf, layouts } from './layouts.ts';
import type { VoucherLine } from './vouchers.ts';

export interface VoucherFile {
  layout: billingExports.VoucherLayout;
  format: (typeof billingExports.voucherFormats)[number];
  /** Person who exports. */
  by: string;
  locale: Locale;
  provisional: boolean;
}

/** @param pages of lines, as JSON */
export async function* writeVouchers(file: VoucherFile, pages: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const layout = layouts[file.layout];
  const heads = headsOf(layout, file.locale);
  if (file.format === 'xlsx') {
    for await (const part of xlsx(heads, rowsOf())) yield Buffer.from(part);
    return;
  }
  const encode = layout.encoding === 'gbk' ? gbk : (text: string) => Buffer.from(text);
  const mark = layout.encoding === 'gbk' ? '' : byteOrderMark;
  // the ledger tool of Yonyou wants its own line instead of heads
  yield encode(mark + (layout.first ? `${layout.first}\r\n` : csvLine([...heads])));
  for await (const rows of rowsOf()) yield encode(rows.map(csvLine).join(''));

  async function* rowsOf(): AsyncGenerator<Cell[][]> {
    for await (const page of pages)
      yield (JSON.parse(page.toString()) as VoucherLine[]).map((line) => layout.row(line, file));
  }
}
