import { type RawBuilder, sql } from 'kysely';
import { dayOf, startOfDay } from '../platform/calendar.ts';
import type { Tx } from '../platform/database/index.ts';
import { inNetworks } from './layers.ts';

export interface AccountZone {
  accountId: string;
  zone: string;
}

/** Finds accounts with a day that ended before `rolledUntil`, the end of rolled-up hours. System role. */
export async function accountsWithOpenDays(
  tx: Tx,
  accounts: readonly AccountZone[],
  rolledUntil: Date,
): Promise<(AccountZone & { from: string; before: string })[]> {
  // without closed days: the first rolled-up hour
  const { rows } = await sql<{ account_id: string; until: string | null; at: Date | null }>`
    select a.account_id, to_char(p.until, 'YYYY-MM-DD') as until,
      case when p.until is null then (select min(bucket) from rollup_account_1h r where r.account_id = a.account_id) end as at
    from unnest(${accounts.map(({ accountId }) => accountId)}::uuid[]) as a (account_id)
    left join uplink_progress p using (account_id)
  `.execute(tx);
  const known = new Map(rows.map((row) => [row.account_id, row]));
  return accounts.flatMap((account) => {
    const before = dayOf(rolledUntil, account.zone);
    const { until, at } = known.get(account.accountId)!;
    const from = until ?? (at && dayOf(at, account.zone));
    return from && from < before ? [{ ...account, from, before }] : [];
  });
}

/** Replaces days [from, before) from the networks' hours; idempotent. System role. */
export async function closeUplinkDays(
  tx: Tx,
  { accountId, zone, from, before }: AccountZone & { from: string; before: string },
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
        gwid, house_wan as bytes
      from rollup_network_1h
      where account_id = ${accountId}${inNetworks} and bucket >= ${startOfDay(from, zone)} and bucket < ${startOfDay(before, zone)}
    ) hours
    group by grouping sets ((day), (day, gwid))
  `.execute(tx);
  await sql`
    insert into uplink_progress (account_id, until) values (${accountId}, ${before}::date)
    on conflict (account_id) do update set until = greatest(uplink_progress.until, excluded.until)
  `.execute(tx);
}

function flow(first: number, last: number): RawBuilder<number> {
  return sql`coalesce(sum(bytes) filter (where hour >= ${first} and hour < ${last}), 0)::bigint`;
}
