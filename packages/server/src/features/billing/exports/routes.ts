import { type billingExports, billingExports as contract } from '@yunxun/contract';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { byteOrderMark, csvLine } from '../../../platform/http/csv.ts';
import type { Downloads } from '../../../platform/http/download.ts';
import { xlsx } from '../../../platform/http/xlsx.ts';
import { accounts } from '../../identity/index.ts';
import { record } from '../../logs/index.ts';
import { lockMoney, yuan } from '../service.ts';
import { readAccountCodes, writeAccountCodes } from './account-codes.ts';
import { gbk } from './gbk.ts';
import { headsOf, layouts } from './layouts.ts';
import { vouchersOf } from './vouchers.ts';

interface Wanted {
  month: string;
  layout: billingExports.VoucherLayout;
  format: (typeof billingExports.voucherFormats)[number];
  by: string;
  locale: 'zh-CN' | 'en';
}

const kind = 'vouchers';
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function exportRoutes({ downloads }: { downloads: Downloads }): Route[] {
  downloads.offerRaw<Wanted>(kind, {
    permission: 'billing.read',
    async head(_tx, { filter: { month, layout, format } }) {
      const extension = format === 'xlsx' ? 'xlsx' : layouts[layout].extension;
      const type = format === 'xlsx' ? xlsxType : `text/${extension === 'txt' ? 'plain' : 'csv'}`;
      return { name: `vouchers-${layout}-${month}.${extension}`, type, size: null };
    },
    piece: async (tx, { accountId, filter }, number) => (number === 0 ? fileOf(tx, accountId, filter) : undefined),
  });

  return implement(contract, {
    accounts({ tx, acting }) {
      requireWholeAccount(acting, 'billing.read');
      return readAccountCodes(tx, acting.accountId);
    },

    async accountsSave({ tx, acting, input: { list, version } }) {
      requireWholeAccount(acting, 'billing.write');
      const { accountId } = acting;
      await lockMoney(tx, accountId);
      const before = await readAccountCodes(tx, accountId);
      if (before.version !== version) throw new Failure('changedMeanwhile');
      await writeAccountCodes(tx, accountId, { list, version: version + 1 });
      const { name } = await accounts.accountOf(tx, accountId);
      const labels = (of: typeof list) => Object.fromEntries(of.map((one) => [one.ledger, `${one.code} ${one.name}`]));
      await record(tx, acting, {
        action: 'books.account_codes',
        object: { type: 'account', id: accountId, name },
        before: labels(before.list),
        after: labels(list),
      });
      return { version: version + 1 };
    },

    async vouchers({ tx, acting, caller, input: { month } }) {
      requireWholeAccount(acting, 'billing.read');
      const { lines, final } = await vouchersOf(tx, acting.accountId, month, caller.locale);
      const debit = lines.reduce((sum, { debitFen }) => sum + debitFen, 0);
      return { vouchers: lines.at(-1)?.number ?? 0, debit: yuan(debit), final };
    },

    async vouchersExport({ tx, acting, caller, identity, input: { month, layout, format } }) {
      requireWholeAccount(acting, 'billing.read');
      const { time_zone: timeZone, name } = await accounts.accountOf(tx, acting.accountId);
      await record(tx, acting, {
        action: 'books.export',
        object: { type: 'account', id: acting.accountId, name },
        after: { month, layout, format },
      });
      const by = acting.actor?.name ?? acting.source;
      const filter: Wanted = { month, layout, format, by, locale: caller.locale };
      return downloads.open(kind, { acting, caller, identity, format, timeZone, filter });
    },
  });
}

async function fileOf(tx: Tx, accountId: string, { month, layout, format, by, locale }: Wanted): Promise<Buffer> {
  const chosen = layouts[layout];
  const { lines } = await vouchersOf(tx, accountId, month, layout === 'plain' ? locale : 'zh-CN');
  const heads = headsOf(chosen, locale);
  const rows = lines.map((line) => chosen.row(line, { by }));
  if (format === 'xlsx') {
    const parts: Uint8Array[] = [];
    for await (const part of xlsx(heads, pagesOf(rows))) parts.push(part);
    return Buffer.concat(parts);
  }
  // the ledger tool of Yonyou wants its own line instead of heads
  const text = (chosen.first ? `${chosen.first}\r\n` : csvLine([...heads])) + rows.map(csvLine).join('');
  return chosen.encoding === 'gbk' ? gbk(text) : Buffer.from(byteOrderMark + text);
}

async function* pagesOf<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows;
}
