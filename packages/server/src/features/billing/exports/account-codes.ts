import type { billingExports, DataOf } from '@yunxun/contract';
import { type Tx, tables } from '../../../platform/database/index.ts';
import type { Ledger } from '../service.ts';

export type AccountCodes = DataOf<typeof billingExports.accounts>;
type AccountCode = AccountCodes['list'][number];

interface ExportTables {
  billing_account_code: {
    account_id: string;
    codes: AccountCode[];
    voucher_per: AccountCodes['per'];
    version: number;
  };
  /** Of closed months. */
  billing_voucher: { account_id: string; transaction_id: string; month: string; number: number; day: string };
}

export const exportTables = (tx: Tx) => tables<ExportTables>(tx);

/** Accounting Standards for Small Business Enterprises (China, Caikuai 2011 No. 17), with accounts of our own below. */
const defaults: Readonly<Record<Ledger, readonly [code: string, name: string]>> = {
  balance: ['1012.01', '其他货币资金-收入余额'],
  recharged: ['1012.02', '其他货币资金-充值余额'],
  frozen: ['1012.03', '其他货币资金-提现冻结'],
  income: ['5001', '主营业务收入'],
  cash: ['1001', '库存现金'],
  sms: ['1123', '预付账款-短信'],
  expense: ['5602', '管理费用'],
  external: ['1122', '应收账款-备付金'],
  deferred: ['2203', '预收账款-合同负债'],
  earned: ['5001.09', '主营业务收入-递延调整'],
};

export async function readAccountCodes(tx: Tx, accountId: string): Promise<AccountCodes> {
  const row = await exportTables(tx)
    .selectFrom('billing_account_code')
    .select(['codes', 'voucher_per', 'version'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const own = new Map(row?.codes.map((one) => [one.ledger, one]));
  const list = (Object.keys(defaults) as Ledger[]).map(
    (ledger): AccountCode => own.get(ledger) ?? { ledger, code: defaults[ledger][0], name: defaults[ledger][1] },
  );
  return { per: row?.voucher_per ?? 'day', list, version: row?.version ?? 0 };
}

export async function writeAccountCodes(
  tx: Tx,
  accountId: string,
  { per, list, version }: AccountCodes,
): Promise<void> {
  const codes = JSON.stringify(list) as unknown as AccountCode[];
  const saved = { codes, voucher_per: per, version };
  await exportTables(tx)
    .insertInto('billing_account_code')
    .values({ account_id: accountId, ...saved })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(saved))
    .execute();
}
