import { startOfDay } from '../../../platform/calendar.ts';
import { type Tx, tables } from '../../../platform/database/index.ts';

export interface ClosedMonth {
  account_id: string;
  month: string;
  begins_at: Date;
  ends_at: Date;
  closed_at: Date;
  closed_by: string;
  time_zone: string | null;
}

export const monthTables = (tx: Tx) => tables<{ ledger_month: ClosedMonth }>(tx);

export interface Month {
  from: Date;
  to: Date;
  closed: ClosedMonth | null;
}

/** Of a closed month as it was then; otherwise in the account's time zone, from the end of the closed month before. */
export async function monthOf(tx: Tx, accountId: string, month: string, zone: string): Promise<Month> {
  const closed = await monthTables(tx)
    .selectFrom('ledger_month')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('month', '=', month)
    .executeTakeFirst();
  if (closed) return { from: closed.begins_at, to: closed.ends_at, closed };
  const before = await monthTables(tx)
    .selectFrom('ledger_month')
    .select('ends_at')
    .where('account_id', '=', accountId)
    .where('month', '=', monthAfter(month, -1))
    .executeTakeFirst();
  const starts = (of: string) => startOfDay(`${of}-01`, zone);
  return { from: before?.ends_at ?? starts(month), to: starts(monthAfter(month, 1)), closed: null };
}

export function monthAfter(month: string, months: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

export async function closedUntil(tx: Tx, accountId: string): Promise<Date | null> {
  const { until } = await monthTables(tx)
    .selectFrom('ledger_month')
    .select((select) => select.fn.max('ends_at').as('until'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return until;
}
