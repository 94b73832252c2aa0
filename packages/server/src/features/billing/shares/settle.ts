import type { Selectable } from 'kysely';
import { dayOf } from '../../../platform/calendar.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import { fleetNetworks } from '../../fleet/index.ts';
import { accounts, delegations } from '../../identity/index.ts';
import { monthAfter, monthOf } from '../books/months.ts';
import { isOver } from '../books/trial-balance.ts';
import { balanceOf, incomeOf, lockMoney, post, spend } from '../service.ts';
import { shareTables, type Term } from './tables.ts';
import { endTerm, lockShare } from './terms.ts';

type OldTerm = Selectable<Term>;

/** Settles shares of the months that have ended; what a balance cannot pay is tried again an hour later. */
export function createSettling({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
  return async function settleShares(): Promise<void> {
    const terms = await shareTables(database.system)
      .selectFrom('billing_share_term')
      .selectAll()
      .where('settled', '=', false)
      .orderBy('from_at')
      .execute();
    const failed: Error[] = [];
    for (const term of terms)
      await settleMonths(await endedWithHosting(term)).catch((error: Error) => {
        log.warn({ account: term.account_id, network: term.gwid, reason: error.message }, 'share not settled');
        failed.push(error);
      });
    if (failed.length > 0) throw new AggregateError(failed, 'shares were not settled');
  };

  /** Ends a term whose hosting has ended, or no longer has the network. */
  function endedWithHosting(term: OldTerm): Promise<OldTerm> {
    if (term.until_at) return Promise.resolve(term);
    return database.withSystem(async (tx) => {
      const { account_id: accountId, gwid } = term;
      const hosting = await delegations.hostingById(tx, accountId, term.hosting_id);
      if (hosting && !hosting.revokedAt && (hosting.gwids?.includes(gwid) ?? true)) return term;
      await lockShare(tx, accountId, gwid);
      const until_at = await endTerm(tx, term, hosting?.revokedAt ?? clock.now());
      return { ...term, until_at };
    });
  }

  async function settleMonths(term: OldTerm): Promise<void> {
    const { account_id: account, id, gwid: network, until_at } = term;
    const { months, next } = await monthsOf(term);
    for (const month of months) {
      const outcome = await database.withSystem((tx) => settle(tx, term, month, clock.now()));
      if (outcome === 'short') log.info({ account, network, month }, 'share not paid');
      if (outcome !== 'settled') return;
    }
    if (until_at && until_at <= next)
      await shareTables(database.system)
        .updateTable('billing_share_term')
        .set({ settled: true })
        .where('account_id', '=', account)
        .where('id', '=', id)
        .execute();
  }

  /** From the month in which the term begins, or after the last settled one, to the one before this month. */
  async function monthsOf({ account_id, id, from_at, until_at }: OldTerm): Promise<{ months: string[]; next: Date }> {
    return database.withSystem(async (tx) => {
      const row = await shareTables(tx)
        .selectFrom('billing_share_settlement')
        .select(({ fn }) => fn.max('month').as('month'))
        .where('account_id', '=', account_id)
        .where('term_id', '=', id)
        .where('side', '=', 'paid')
        .executeTakeFirstOrThrow();
      const last = row.month as string | null;
      const { time_zone: zone } = await accounts.accountOf(tx, account_id);
      const now = dayOf(clock.now(), zone).slice(0, 7);
      const end = until_at ? dayOf(until_at, zone).slice(0, 7) : now;
      const months: string[] = [];
      const first = last ? monthAfter(last, 1) : dayOf(from_at, zone).slice(0, 7);
      for (let month = first; month < now && month <= end; month = monthAfter(month, 1)) months.push(month);
      return { months, next: (await monthOf(tx, account_id, now, zone)).from };
    });
  }
}

async function settle(tx: Tx, term: OldTerm, name: string, at: Date): Promise<'settled' | 'short' | 'open'> {
  const { account_id: accountId, id, gwid, hosting_id, percent } = term;
  const hosting = await delegations.hostingById(tx, accountId, hosting_id);
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const month = await monthOf(tx, accountId, name, zone);
  if (!isOver(month, at) || !hosting) return 'open';
  // both sides, in one order
  for (const side of [accountId, hosting.to].toSorted()) await lockMoney(tx, side);
  const settled = await shareTables(tx)
    .selectFrom('billing_share_settlement')
    .select('id')
    .where('account_id', '=', accountId)
    .where('side', '=', 'paid')
    .where('term_id', '=', id)
    .where('month', '=', name)
    .executeTakeFirst();
  if (settled) return 'settled';
  const from = term.from_at > month.from ? term.from_at : month.from;
  const to = term.until_at && term.until_at < month.to ? term.until_at : month.to;
  const income = from < to ? await incomeOf(tx, accountId, from, to, [gwid]) : 0;
  const fen = Math.trunc((income * percent) / 100);
  const payer = fen > 0 ? accountId : hosting.to;
  if (Math.abs(fen) > (await balanceOf(tx, payer))) return 'short';
  const booking = { key: `share:${id}:${name}`, kind: 'income_share', at };
  const [paid, received] =
    fen === 0
      ? [null, null]
      : [
          await post(tx, {
            ...booking,
            accountId,
            gwid,
            entries: [
              { ledger: 'expense', fen },
              ...(fen > 0 ? await spend(tx, accountId, fen) : [{ ledger: 'balance', fen: -fen } as const]),
            ],
          }),
          await post(tx, {
            ...booking,
            accountId: hosting.to,
            gwid: null,
            entries: [
              ...(fen > 0 ? [{ ledger: 'balance', fen } as const] : await spend(tx, hosting.to, -fen)),
              { ledger: 'income', fen: -fen },
            ],
          }),
        ];
  const network = (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? gwid;
  const row = {
    id: newId(at.getTime()),
    term_id: id,
    network_id: gwid,
    network,
    month: name,
    income_fen: income,
    percent,
    fen,
    at,
  };
  await shareTables(tx)
    .insertInto('billing_share_settlement')
    .values([
      { ...row, account_id: accountId, side: 'paid', other_id: hosting.to, transaction_id: paid?.id ?? null },
      { ...row, account_id: hosting.to, side: 'received', other_id: accountId, transaction_id: received?.id ?? null },
    ])
    .execute();
  return 'settled';
}
