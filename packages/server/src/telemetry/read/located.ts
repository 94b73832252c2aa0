import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { among } from './stations.ts';
import type { Reach } from './types.ts';

/** Texts from `from` on and before `before`, by bytes. */
interface Range {
  from: string;
  before: string;
}

/** Ranges for which ended stays are read too: each is looked up in every day that is kept. */
const rangesOfPast = 2;

/**
 * MACs of clients whose address lies in a range, those that are there first. Of ended stays at most two ranges are
 * searched: an address, or the beginning of one.
 */
export async function stationsAt(
  tx: Tx,
  accountId: string,
  { gwids }: Reach,
  ranges: readonly Range[],
  limit: number,
): Promise<string[]> {
  const list = sql`unnest(${ranges.map(({ from }) => from)}::text[], ${ranges.map(({ before }) => before)}::text[])`;
  const { rows } = await sql<{ mac: string }>`
    select distinct o.mac from ${list} r (low, high) cross join lateral (
      select o.mac from station_open o where o.account_id = ${accountId}${among('o.gwid', gwids)}
        and o.ip collate "C" >= r.low and o.ip collate "C" < r.high limit ${limit}) o
    limit ${limit}`.execute(tx);
  const present = rows.map(({ mac }) => mac);
  if (present.length === limit || ranges.length > rangesOfPast) return present;
  const { rows: past } = await sql<{ mac: string }>`
    select distinct e.mac from ${list} r (low, high) cross join lateral (
      select e.mac from station_session e where e.account_id = ${accountId}${among('e.gwid', gwids)}
        and e.ip collate "C" >= r.low and e.ip collate "C" < r.high limit ${limit * 4}) e`.execute(tx);
  const left = past.map(({ mac }) => mac).filter((mac) => !present.includes(mac));
  return [...present, ...left].slice(0, limit);
}

/** MACs of clients that are signed in to a portal with an account that begins so, such as a phone number. */
export async function stationsOfUser(
  tx: Tx,
  accountId: string,
  { gwids }: Reach,
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
