import type { billingExports, Locale } from '@yunxun/contract';
import { type MessageKey, message, messageByKey } from '@yunxun/contract/messages';
import type { Cell } from '../../../platform/http/csv.ts';
import { yuan } from '../service.ts';
import type { VoucherLine } from './vouchers.ts';

interface Context {
  by: string;
  locale: Locale;
  provisional: boolean;
}

interface Layout {
  /** `null`: our own, in the caller's language. */
  heads: readonly string[] | null;
  /** Before the heads, in text files. */
  first?: string;
  row(line: VoucherLine, context: Context): Cell[];
  /** Of its text file. */
  encoding: 'utf-8' | 'gbk';
  extension: 'csv' | 'txt';
}

const amount = (fen: number): number | null => (fen === 0 ? null : Number(yuan(fen)));
const word = '记';

/** Documented limit of the ledger tool. */
const maxSummaryBytes = 60;

/** The import has no column for the network, nor for the state of a number. */
function wholeSummary(
  { summary, network }: Pick<VoucherLine, 'summary' | 'network'>,
  { provisional }: Context,
): string {
  const placed = network === null ? summary : message('zh-CN', 'voucher.of_network', { summary, network });
  return provisional ? message('zh-CN', 'voucher.provisional', { summary: placed }) : placed;
}

/** The ledger tool knows no quotes. */
const unquoted = (text: string): string => text.replace(/[,"\r\n]/g, ' ').replace(/^[=+\-@\t]+/, '');

function shortened(text: string): string {
  let bytes = 0;
  const kept = [...text].filter((sign) => {
    bytes += sign < '\x80' ? 1 : 2;
    return bytes <= maxSummaryBytes;
  });
  return kept.join('');
}

export const plainHeads: readonly MessageKey[] = [
  'voucher.day',
  'voucher.number',
  'voucher.state',
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
    row: ({ day, number, summary, code, account, debitFen, creditFen, network }, { locale, provisional }) => [
      day,
      number,
      message(locale, provisional ? 'voucher.state_provisional' : 'voucher.state_final'),
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
    row: ({ day, number, code, account, debitFen, creditFen, ...line }, context) => [
      day,
      word,
      number,
      0,
      wholeSummary(line, context),
      code,
      account,
      Number(yuan(debitFen)),
      Number(yuan(creditFen)),
      'RMB',
      1,
      null,
      null,
      context.by,
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
    row: ({ day, number, code, debitFen, creditFen, ...line }, context) => [
      day,
      word,
      number,
      0,
      shortened(unquoted(wholeSummary(line, context))),
      code.replaceAll('.', ''),
      Number(yuan(debitFen)),
      Number(yuan(creditFen)),
      0,
      0,
      0,
      unquoted(context.by),
    ],
    encoding: 'gbk',
    extension: 'txt',
  },
};

export const headsOf = ({ heads }: Layout, locale: Locale): readonly string[] =>
  heads ?? plainHeads.map((key) => messageByKey(locale, key));
