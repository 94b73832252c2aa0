import { dayOf } from '../../../platform/calendar.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import { networkNames } from '../../fleet/names.ts';
import { accountOf } from '../../identity/accounts.ts';
import { hostingById } from '../../identity/hosting.ts';
import { monthAfter, monthOf } from '../books/months.ts';
import { isOver } from '../books/trial-balance.ts';
import { balanceOf, incomeOf, lockMoney, post } from '../service.ts';
import { type Share, shareTables } from './tables.ts';

/** Pays hosts their shares of the months that have ended; a balance that is too small is tried again an hour later. */
export function createSettling({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
  return async function settleShares(): Promise<void> {
    const shares = await shareTables(database.system).selectFrom('billing_share').selectAll().execute();
    const failed: Error[] = [];
    for (const share of shares)
      await settleMonths(share).catch((error: Error) => {
        log.warn({ account: share.account_id, network: share.gwid, reason: error.message }, 'share not settled');
        failed.push(error);
      });
    if (failed.length > 0) throw new AggregateError(failed, 'shares were not settled');
  };

  async function settleMonths(share: Share): Promise<void> {
    for (const month of await monthsOf(share)) {
      const outcome = await database.withSystem((tx) => settle(tx, share, month, clock.now()));
      if (outcome === 'short') log.info({ account: share.account_id, network: share.gwid, month }, 'share not paid');
      if (outcome !== 'settled') return;
    }
  }

  /** From the month in which the share was set, or after the last settled one, to the one before this month. */
  async function monthsOf({ account_id, gwid, set_at }: Share): Promise<string[]> {
    const { zone, last } = await database.withSystem(async (tx) => {
      const { month } = await shareTables(tx)
        .selectFrom('billing_share_settlement')
        .select(({ fn }) => fn.max('month').as('month'))
        .where('account_id', '=', account_id)
        .where('network_id', '=', gwid)
        .where('side', '=', 'paid')
        .executeTakeFirstOrThrow();
      return { zone: (await accountOf(tx, account_id)).time_zone, last: month as string | null };
    });
    const set = dayOf(set_at, zone).slice(0, 7);
    const now = dayOf(clock.now(), zone).slice(0, 7);
    const months: string[] = [];
    for (let month = last && last >= set ? monthAfter(last, 1) : set; month < now; month = monthAfter(month, 1))
      months.push(month);
    return months;
  }
}

async function settle(
  tx: Tx,
  { account_id: accountId, gwid, hosting_id, percent }: Share,
  name: string,
  at: Date,
): Promise<'settled' | 'short' | 'open'> {
  const hosting = await hostingById(tx, accountId, hosting_id);
  const { time_zone: zone } = await accountOf(tx, accountId);
  const month = await monthOf(tx, accountId, name, zone);
  if (!isOver(month, at) || !hosting) return 'open';
  // both sides, in one order
  for (const side of [accountId, hosting.to].toSorted()) await lockMoney(tx, side);
  const settled = await shareTables(tx)
    .selectFrom('billing_share_settlement')
    .select('id')
    .where('account_id', '=', accountId)
    .where('side', '=', 'paid')
    .where('network_id', '=', gwid)
    .where('month', '=', name)
    .executeTakeFirst();
  if (settled) return 'settled';
  const covers = hosting.gwids?.includes(gwid) ?? true;
  const wasHosted = covers && (!hosting.revokedAt || hosting.revokedAt >= month.to);
  const income = wasHosted ? Math.max(0, await incomeOf(tx, accountId, month.from, month.to, [gwid])) : 0;
  const fen = Math.floor((income * percent) / 100);
  if (fen > (await balanceOf(tx, accountId))) return 'short';
  const key = `share:${gwid}:${name}`;
  const booking = { key, kind: 'income_share', at };
  const [paid, received] =
    fen === 0
      ? [null, null]
      : [
          await post(tx, {
            ...{ ...booking, accountId, gwid },
            entries: [
              { ledger: 'expense', fen },
              { ledger: 'balance', fen: -fen },
            ],
          }),
          await post(tx, {
            ...{ ...booking, accountId: hosting.to, gwid: null },
            entries: [
              { ledger: 'balance', fen },
              { ledger: 'income', fen: -fen },
            ],
          }),
        ];
  const network = (await networkNames(tx, accountId, [gwid])).get(gwid) ?? gwid;
  const row = { id: newId(at.getTime()), network_id: gwid, network, month: name, income_fen: income, percent, fen, at };
  await shareTables(tx)
    .insertInto('billing_share_settlement')
    .values([
      { ...row, account_id: accountId, side: 'paid', other_id: hosting.to, transaction_id: paid?.id ?? null },
      { ...row, account_id: hosting.to, side: 'received', other_id: accountId, transaction_id: received?.id ?? null },
    ])
    .execute();
  return 'settled';
}
