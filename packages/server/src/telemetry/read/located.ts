import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { among } from './stations.ts';
import type { Scope } from './types.ts';

/** `from` inclusive, `before` exclusive, by bytes. */
interface Range {
  from: string;
  before: string;
}

/** Ranges for which ended sessions are searched: each costs a look-up per kept day. */
const rangesOfPast = 2;

const columnOf = (ranges: readonly Range[], row: string) =>
  sql.ref(`${row}.${ranges.some(({ from }) => from.includes(':')) ? 'ip6' : 'ip'}`);

/** Finds MACs by ranges of one address family, present ones first; ended sessions in at most two ranges. */
export async function stationsAt(
  tx: Tx,
  accountId: string,
  { gwids }: Scope,
  ranges: readonly Range[],
  limit: number,
): Promise<string[]> {
  const list = sql`unnest(${ranges.map(({ from }) => from)}::text[], ${ranges.map(({ before }) => before)}::text[])`;
  const { rows } = await sql<{ mac: string }>`
    select distinct o.mac from ${list} r (low, high) cross join lateral (
      select o.mac from station_open o where o.account_id = ${accountId}${among('o.gwid', gwids)}
        and ${columnOf(ranges, 'o')} collate "C" >= r.low and ${columnOf(ranges, 'o')} collate "C" < r.high limit ${limit}) o
    limit ${limit}`.execute(tx);
  const present = rows.map(({ mac }) => mac);
  if (present.length === limit || ranges.length > rangesOfPast) return present;
  const { rows: past } = await sql<{ mac: string }>`
    select distinct e.mac from ${list} r (low, high) cross join lateral (
      select e.mac from station_session e where e.account_id = ${accountId}${among('e.gwid', gwids)}
        and ${columnOf(ranges, 'e')} collate "C" >= r.low and ${columnOf(ranges, 'e')} collate "C" < r.high limit ${limit * 4}) e`.execute(
    tx,
  );
  const left = past.map(({ mac }) => mac).filter((mac) => !present.includes(mac));
  return [...present, ...left].slice(0, limit);
}

/** Finds MACs by the beginning of a portal account, such as a phone number. */
export async function stationsOfUser(
  tx: Tx,
  accountId: string,
  { gwids }: Scope,
  { from, before }: Range,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ mac: string }>`
    select distinct o.mac from (
      select o.mac from station_open o where o.account_id = ${accountId}${among('o.gwid', gwids)}
        and o.username collate "C" >= ${from} and o.username collate "C" < ${before} limit ${limit * 4}) o
    limit ${limit}`.execute(tx);
  return rows.map(({ mac }) => mac);
}
