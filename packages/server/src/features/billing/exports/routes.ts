import { billingExports as contract } from '@yunxun/contract';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import type { Downloads } from '../../../platform/http/download.ts';
import { accounts } from '../../identity/index.ts';
import { record } from '../../logs/index.ts';
import { lockMoney, yuan } from '../service.ts';
import { readAccountCodes, writeAccountCodes } from './account-codes.ts';
import { type VoucherFile, writeVouchers } from './file.ts';
import { layouts } from './layouts.ts';
import { keepNumbers, voucherMonth } from './numbers.ts';
import { voucherSums, vouchersBetween } from './vouchers.ts';

interface Wanted extends Omit<VoucherFile, 'provisional'> {
  month: string;
  /** Later bookings are left out, so that the numbers of one file agree. */
  until: string;
}

const kind = 'vouchers';
const vouchersAtOnce = 500;
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function exportRoutes({ clock, downloads }: { clock: Clock; downloads: Downloads }): Route[] {
  const monthOfFile = async (tx: Tx, accountId: string, { month: name, until }: Wanted) => {
    const month = await voucherMonth(tx, accountId, name);
    return month.numbered ? month : { ...month, to: new Date(Math.min(month.to.getTime(), Date.parse(until))) };
  };

  downloads.offerRaw<Wanted>(kind, {
    permission: 'billing.read',
    async head(tx, { accountId, filter }) {
      const { month, layout, format } = filter;
      const provisional = !(await voucherMonth(tx, accountId, month)).numbered;
      const extension = format === 'xlsx' ? 'xlsx' : layouts[layout].extension;
      const type = format === 'xlsx' ? xlsxType : `text/${extension === 'txt' ? 'plain' : 'csv'}`;
      return {
        name: `vouchers-${layout}-${month}${provisional ? '-provisional' : ''}.${extension}`,
        type,
        size: null,
        rewrite: (pages) => writeVouchers({ ...filter, provisional }, pages),
      };
    },
    async piece(tx, { accountId, filter }, number) {
      const month = await monthOfFile(tx, accountId, filter);
      const { vouchers } = await voucherSums(tx, month);
      const after = number * vouchersAtOnce;
      if (after >= vouchers) return undefined;
      const locale = filter.layout === 'plain' ? filter.locale : 'zh-CN';
      const lines = await vouchersBetween(tx, month, locale, { after, upTo: after + vouchersAtOnce });
      return Buffer.from(JSON.stringify(lines));
    },
  });

  return implement(contract, {
    accounts({ tx, acting }) {
      requireWholeAccount(acting, 'billing.read');
      return readAccountCodes(tx, acting.accountId);
    },

    async accountsSave({ tx, acting, input: { per, list, version } }) {
      requireWholeAccount(acting, 'billing.write');
      if (new Set(list.map(({ ledger }) => ledger)).size < list.length) invalid('list', 'validation.accountEach');
      const { accountId } = acting;
      await lockMoney(tx, accountId);
      const before = await readAccountCodes(tx, accountId);
      if (before.version !== version) throw new Failure('changedMeanwhile');
      await writeAccountCodes(tx, accountId, { per, list, version: version + 1 });
      const { name } = await accounts.accountOf(tx, accountId);
      const labels = (of: Pick<typeof before, 'per' | 'list'>) => ({
        per: of.per,
        ...Object.fromEntries(of.list.map((one) => [one.ledger, `${one.code} ${one.name}`])),
      });
      await record(tx, acting, {
        action: 'books.account_codes',
        object: { type: 'account', id: accountId, name },
        before: labels(before),
        after: labels({ per, list }),
      });
      return { version: version + 1 };
    },

    async vouchers({ tx, acting, input: { month: name } }) {
      requireWholeAccount(acting, 'billing.read');
      const month = await voucherMonth(tx, acting.accountId, name);
      const { vouchers, debitFen } = await voucherSums(tx, month);
      return { vouchers, debit: yuan(debitFen), final: month.numbered || (month.closed && vouchers === 0) };
    },

    async vouchersExport({ tx, acting, caller, identity, input: { month, layout, format } }) {
      requireWholeAccount(acting, 'billing.read');
      const { time_zone: timeZone, name } = await accounts.accountOf(tx, acting.accountId);
      const asked = await voucherMonth(tx, acting.accountId, month);
      if (asked.closed && !asked.numbered) await keepNumbers(tx, asked);
      await record(tx, acting, {
        action: 'books.export',
        object: { type: 'account', id: acting.accountId, name },
        after: { month, layout, format },
      });
      const by = acting.actor?.name ?? acting.source;
      const until = clock.now().toISOString();
      const filter: Wanted = { month, layout, format, by, locale: caller.locale, until };
      return downloads.open(kind, { acting, caller, identity, format, timeZone, filter });
    },
  });
}
