import type { billingBooks as contract, DataOf } from '@yunxun/contract';
import { sql } from 'kysely';
import { addDays, dayOf } from '../../../platform/calendar.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { accounts } from '../../identity/index.ts';
import { yuan } from '../service.ts';
import { closedUntil, type Month, monthOf } from './months.ts';

type TrialBalance = DataOf<typeof contract.trialBalance>;

interface Sums {
  currency: TrialBalance['list'][number]['currency'];
  ledger: TrialBalance['list'][number]['ledger'];
  opening: number;
  debit: number;
  credit: number;
}

const hour = 3_600_000;

/** Bookings bear the time at which they were made, but may be committed a little later. */
export const isOver = (month: Month, now: Date): boolean => now.getTime() >= month.to.getTime() + hour;

/** The opening balance is the running total less what was booked since: recent months read little. */
export async function trialBalance(
  tx: Tx,
  accountId: string,
  asked: string | undefined,
  now: Date,
): Promise<TrialBalance> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const current = dayOf(now, zone).slice(0, 7);
  const { rows: first } = await sql<{ at: Date | null }>`
    select min(at) as at from ledger_entry where account_id = ${accountId}`.execute(tx);
  const began = first[0]?.at ? dayOf(new Date(first[0].at), zone).slice(0, 7) : null;
  const last = addDays(`${current}-01`, -1).slice(0, 7);
  const name = asked ?? (began !== null && began > last ? current : last);
  const month = await monthOf(tx, accountId, name, zone);
  const until = await closedUntil(tx, accountId);
  const { rows } = await sql<Sums>`
    select t.currency, t.ledger, (t.fen - coalesce(s.fen, 0))::bigint as opening,
      coalesce(s.debit, 0)::bigint as debit, coalesce(s.credit, 0)::bigint as credit
    from (
      select currency, ledger, sum(fen) as fen from ledger_total where account_id = ${accountId}
      group by currency, ledger) t
    cross join lateral (
      select sum(fen) as fen, sum(fen) filter (where fen > 0 and at < ${month.to}) as debit,
        -sum(fen) filter (where fen < 0 and at < ${month.to}) as credit
      from ledger_entry e
      where e.account_id = ${accountId} and e.ledger = t.ledger and e.currency = t.currency and e.at >= ${month.from}) s
    order by t.currency, t.ledger`.execute(tx);
  return {
    month: name,
    current_month: current,
    from: month.from.toISOString(),
    to: month.to.toISOString(),
    first_month: began,
    closed: month.closed && { at: month.closed.closed_at.toISOString(), by: month.closed.closed_by },
    closable: isOver(month, now) && (until === null || until < month.to),
    list: rows.map(({ currency, ledger, ...row }) => ({ currency, ledger, ...amounts(row) })),
    sums: [...new Set(rows.map(({ currency }) => currency))].map((currency) => {
      const own = rows.filter((row) => row.currency === currency);
      const sum = (key: 'opening' | 'debit' | 'credit') => own.reduce((total, row) => total + Number(row[key]), 0);
      return { currency, ...amounts({ opening: sum('opening'), debit: sum('debit'), credit: sum('credit') }) };
    }),
  };
}

function amounts(row: Pick<Sums, 'opening' | 'debit' | 'credit'>) {
  const [opening, debit, credit] = [Number(row.opening), Number(row.debit), Number(row.credit)];
  return { opening: yuan(opening), debit: yuan(debit), credit: yuan(credit), closing: yuan(opening + debit - credit) };
}
