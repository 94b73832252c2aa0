import type { billingExports, Locale } from '@yunxun/contract';
import { type MessageKey, messageByKey } from '@yunxun/contract/messages';
import type { Cell } from '../../../platform/http/csv.ts';
import { yuan } from '../service.ts';
import type { VoucherLine } from './vouchers.ts';

interface Layout {
  /** `null`: our own, in the caller's language. */
  heads: readonly string[] | null;
  /** Before the heads, in text files. */
  first?: string;
  row(line: VoucherLine, context: { by: string }): Cell[];
  /** Of its text file. */
  encoding: 'utf-8' | 'gbk';
  extension: 'csv' | 'txt';
}

const amount = (fen: number): number | null => (fen === 0 ? null : Number(yuan(fen)));
const word = '记';

export const plainHeads: readonly MessageKey[] = [
  'voucher.day',
  'voucher.number',
  'voucher.summary',
  'voucher.code',
  'voucher.account',
  'voucher.debit',
  'voucher.credit',
  'voucher.network',
];

export const layouts: Readonly<Record<billingExports.VoucherLayout, Layout>> = {
  plain: {
    heads: null,
    row: ({ day, number, summary, code, account, debitFen, creditFen, network }) => [
      day,
      number,
      summary,
      code,
      account,
      amount(debitFen),
      amount(creditFen),
      network,
    ],
    encoding: 'utf-8',
    extension: 'csv',
  },
  /** Kingdee KIS, standard edition: the columns of its import of vouchers from Excel. */
  kis: {
    heads: [
      '日期',
      '凭证字',
      '凭证号',
      '附单据数',
      '摘要',
      '科目代码',
      '科目名称',
      '借方金额',
      '贷方金额',
      '币别',
      '汇率',
      '数量',
      '单价',
      '制单人',
    ],
    row: ({ day, number, summary, code, account, debitFen, creditFen }, { by }) => [
      day,
      word,
      number,
      0,
      summary,
      code,
      account,
      Number(yuan(debitFen)),
      Number(yuan(creditFen)),
      'RMB',
      1,
      null,
      null,
      by,
    ],
    encoding: 'gbk',
    extension: 'csv',
  },
  /** Yonyou T3 and U8, ledger tool: text of `填制凭证,V800`; later columns may be left out. */
  t3: {
    heads: [
      '制单日期',
      '凭证类别字',
      '业务号',
      '附单据数',
      '摘要',
      '科目编码',
      '金额借方',
      '金额贷方',
      '数量',
      '外币',
      '汇率',
      '制单人',
    ],
    first: '填制凭证,V800',
    row: ({ day, number, summary, code, debitFen, creditFen }, { by }) => [
      day,
      word,
      number,
      0,
      summary,
      code.replaceAll('.', ''),
      Number(yuan(debitFen)),
      Number(yuan(creditFen)),
      0,
      0,
      0,
      by,
    ],
    encoding: 'gbk',
    extension: 'txt',
  },
};

export const headsOf = ({ heads }: Layout, locale: Locale): readonly string[] =>
  heads ?? plainHeads.map((key) => messageByKey(locale, key));
