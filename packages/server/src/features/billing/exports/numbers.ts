import { type RawBuilder, sql } from 'kysely';
import { addDays, dayOf } from '../../../platform/calendar.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { accounts } from '../../identity/index.ts';
import { closedUntil, monthAfter, monthOf } from '../books/months.ts';
import { lockMoney } from '../service.ts';
import { type AccountCodes, exportTables, readAccountCodes } from './account-codes.ts';

export interface VoucherMonth {
  accountId: string;
  month: string;
  from: Date;
  to: Date;
  zone: string;
  per: AccountCodes['per'];
  closed: boolean;
  numbered: boolean;
}

export async function voucherMonth(tx: Tx, accountId: string, month: string): Promise<VoucherMonth> {
  const { time_zone: now } = await accounts.accountOf(tx, accountId);
  const { from, to, closed: row } = await monthOf(tx, accountId, month, now);
  const zone = row?.time_zone ?? now;
  const { per } = await readAccountCodes(tx, accountId);
  const until = await closedUntil(tx, accountId);
  const first = await exportTables(tx)
    .selectFrom('billing_voucher')
    .select('number')
    .where('account_id', '=', accountId)
    .where('month', '=', month)
    .limit(1)
    .executeTakeFirst();
  const closed = until !== null && until >= to;
  return { accountId, month, from, to, zone, per, closed, numbered: first !== undefined };
}

/** Bookings in yuan with number and day: those kept, else in the order in which they would be given. */
export function numbersOf({ accountId, month, from, to, zone, per, numbered }: VoucherMonth): RawBuilder<unknown> {
  if (numbered)
    return sql`select transaction_id, number, day from billing_voucher
      where account_id = ${accountId} and month = ${month}`;
  const lastDay = addDays(`${monthAfter(month, 1)}-01`, -1);
  const order = per === 'day' ? sql`dense_rank() over (order by day, kind)` : sql`row_number() over (order by at, id)`;
  return sql`
    select id as transaction_id, (${order})::int as number, day from (
      select id, at, kind, greatest(least((at at time zone ${zone})::date, ${lastDay}::date),
        ${`${month}-01`}::date) as day
      from ledger_transaction
      where account_id = ${accountId} and currency = 'CNY' and at >= ${from} and at < ${to}) booked`;
}

/** Keeps the numbers of a closed month, once. */
export async function keepNumbers(tx: Tx, asked: VoucherMonth): Promise<void> {
  const { accountId, month } = asked;
  await lockMoney(tx, accountId);
  const numbers = numbersOf({ ...asked, numbered: false });
  await sql`
    insert into billing_voucher (account_id, transaction_id, month, number, day)
    select ${accountId}, transaction_id, ${month}, number, day from (${numbers}) given
    where not exists (select from billing_voucher where account_id = ${accountId} and month = ${month})`.execute(tx);
}

/** Of a month that is being closed, and of the open ones before it, which are closed with it. */
export async function keepNumbersUntil(tx: Tx, accountId: string, month: string, until: Date | null): Promise<void> {
  const { zone, to } = await voucherMonth(tx, accountId, month);
  const { rows } = await sql<{ at: Date | null }>`
    select min(at) as at from ledger_transaction
    where account_id = ${accountId} and at >= ${until ?? new Date(0)} and at < ${to}`.execute(tx);
  if (!rows[0]?.at) return;
  for (let next = dayOf(new Date(rows[0].at), zone).slice(0, 7); next <= month; next = monthAfter(next, 1))
    await keepNumbers(tx, await voucherMonth(tx, accountId, next));
}
