import { type RawBuilder, sql } from 'kysely';
import { dayOf, startOfDay } from '../platform/calendar.ts';
import type { Tx } from '../platform/database/index.ts';

/** An account with its calendar. */
export interface AccountZone {
  accountId: string;
  zone: string;
}

/** Accounts that have a day to close: it ended before `rolledUntil`, when all hours were rolled up. System role. */
export async function accountsWithOpenDays(
  tx: Tx,
  accounts: readonly AccountZone[],
  rolledUntil: Date,
): Promise<(AccountZone & { from: string; before: string })[]> {
  const { rows } = await sql<{ account_id: string; until: string }>`
    select account_id, to_char(until, 'YYYY-MM-DD') as until from uplink_progress`.execute(tx);
  const known = new Map(rows.map(({ account_id, until }) => [account_id, until]));
  const found = [];
  for (const account of accounts) {
    const before = dayOf(rolledUntil, account.zone);
    const from = known.get(account.accountId) ?? (await firstRolledDay(tx, account));
    if (from && from < before) found.push({ ...account, from, before });
  }
  return found;
}

async function firstRolledDay(tx: Tx, { accountId, zone }: AccountZone): Promise<string | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(bucket) as at from rollup_account_1h where account_id = ${accountId}`.execute(tx);
  return rows[0]?.at ? dayOf(rows[0].at, zone) : null;
}

/**
 * Writes an account's days `from` until before `before` from the hours of its devices, over what was there: the same
 * hours give the same rows. Devices in `without` are left out. System role.
 */
export async function closeUplinkDays(
  tx: Tx,
  {
    accountId,
    zone,
    from,
    before,
    without,
  }: AccountZone & { from: string; before: string; without: readonly string[] },
): Promise<void> {
  await sql`
    delete from uplink_day where account_id = ${accountId} and day >= ${from}::date and day < ${before}::date`.execute(
    tx,
  );
  await sql`
    insert into uplink_day (account_id, day, gwid, flow_0_6, flow_6_11, flow_11_14, flow_14_19, flow_19_24)
    select ${accountId}, day, coalesce(gwid, '00000000-0000-0000-0000-000000000000'),
      ${flow(0, 6)}, ${flow(6, 11)}, ${flow(11, 14)}, ${flow(14, 19)}, ${flow(19, 24)}
    from (
      select (bucket at time zone ${zone})::date as day, extract(hour from bucket at time zone ${zone}) as hour,
        nullif(gwid, '00000000-0000-0000-0000-000000000000') as gwid, wan_down + wan_up as bytes
      from rollup_device_1h
      where account_id = ${accountId} and serial <> all(${[...without]}::text[])
        and bucket >= ${startOfDay(from, zone)} and bucket < ${startOfDay(before, zone)}
    ) hours
    group by grouping sets ((day), (day, gwid))
    having grouping(gwid) = 1 or gwid is not null
  `.execute(tx);
  await sql`
    insert into uplink_progress (account_id, until) values (${accountId}, ${before}::date)
    on conflict (account_id) do update set until = greatest(uplink_progress.until, excluded.until)
  `.execute(tx);
}

/** Sums the bytes of some hours of the day. */
function flow(first: number, last: number): RawBuilder<number> {
  return sql`coalesce(sum(bytes) filter (where hour >= ${first} and hour < ${last}), 0)::bigint`;
}

/** Days from this one on are closed anew by the next run, for every account: after history was written by hand. System role. */
export async function reopenUplinkDays(tx: Tx, from: string): Promise<void> {
  await sql`update uplink_progress set until = least(until, ${from}::date)`.execute(tx);
}
