import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { ceilTo, hour } from '../layers.ts';
import type { Scope } from './types.ts';
import { workMemFor } from './work-mem.ts';

export interface Since extends Scope {
  since: Date | null;
}

/** Most first; null: unknown. */
export type Shares = { value: string | null; users: number }[];

export async function terminalShares(
  tx: Tx,
  accountId: string,
  query: Since & { by: 'terminal_type' | 'brand' | 'os' },
): Promise<Shares> {
  const gwids = await workMemFor(tx, query);
  const from = gwids
    ? sql`(select ${sql.ref(query.by)} as value, 1 as terminals from station
        where account_id = ${accountId}${seen(accountId, { ...query, gwids })}) station`
    : sql`(${parts(accountId, 'seen', query.since, sql`${sql.ref(query.by)} as value`)}) part`;
  const { rows } = await sql<Shares[number]>`
    select value, sum(terminals)::integer as users from ${from}
    group by 1 having sum(terminals) > 0 order by 2 desc, 1 nulls last
  `.execute(tx);
  return rows;
}

/** Counts distinct clients: new since then, returning, with random MACs. */
export async function terminalCounts(
  tx: Tx,
  accountId: string,
  query: Since,
): Promise<{ all: number; fresh: number; returning: number; randomMac: number }> {
  const gwids = await workMemFor(tx, query);
  const { rows } = await (gwids
    ? sql<{ all: number; fresh: number; randomMac: number }>`
        select count(*)::integer as "all", (count(*) filter (where fresh))::integer as fresh,
          (count(*) filter (where random_mac))::integer as "randomMac"
        from (
          select random_mac, ${query.since ? sql`first_seen >= ${query.since}` : sql`true`} as fresh from station
          where account_id = ${accountId}${seen(accountId, { ...query, gwids })}) terminal
      `.execute(tx)
    : sql<{ all: number; fresh: number; randomMac: number }>`
        select coalesce(sum(terminals), 0)::integer as "all",
          coalesce(sum(terminals) filter (where random_mac), 0)::integer as "randomMac",
          -- clients first seen since then were seen since then
          (select coalesce(sum(terminals), 0)::integer from (${parts(accountId, 'first', query.since, sql`1`)}) first) as fresh
        from (${parts(accountId, 'seen', query.since, sql`random_mac`)}) seen
      `.execute(tx));
  const { all, fresh, randomMac } = rows[0]!;
  return { all, fresh, returning: all - fresh, randomMac };
}

/** Reads hourly counts, and single clients of a partial first hour. */
function parts(
  accountId: string,
  kind: 'seen' | 'first',
  since: Date | null,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const counted = sql`select ${columns}, terminals from station_part where account_id = ${accountId} and kind = ${kind}`;
  if (!since) return counted;
  const full = ceilTo(hour, since);
  const whole = sql`${counted} and at >= ${full}`;
  if (+full === +since) return whole;
  const time = sql.ref(kind === 'seen' ? 'last_seen' : 'first_seen');
  return sql`${whole} union all
    select ${columns}, 1 from station where account_id = ${accountId} and ${time} >= ${since} and ${time} < ${full}`;
}

/** Uses networks only if the caller names some. */
function seen(accountId: string, { gwids, since }: Since): RawBuilder<unknown> {
  const recently = since ? sql` and last_seen >= ${since}` : sql``;
  if (!gwids) return recently;
  // a local day differs from UTC's by one at most
  const days = since
    ? sql` and d.day >= (${since}::timestamptz at time zone 'UTC')::date - 1 and d.last_at >= ${since}`
    : sql``;
  return sql`${recently} and mac in (
    select d.mac from station_day d where d.account_id = ${accountId} and d.gwid = any(${[...gwids]}::uuid[])${days})`;
}
