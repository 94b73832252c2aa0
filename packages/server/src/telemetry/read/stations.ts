import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { canonicalIp } from '../../platform/ip-address.ts';
import { containing, macContaining } from '../../platform/search/index.ts';
import { bandAt, nearestTo } from '../client-place.ts';
import { wholeAccount } from '../day-counts.ts';
import { hadAddress } from './addresses.ts';
import { isConnected } from './connected.ts';
import { usersNow } from './now.ts';
import type { Scope } from './types.ts';
import { workMemFor } from './work-mem.ts';

export interface StationQuery extends Scope {
  tab: 'online' | 'today' | 'history';
  day: string;
  /** Null: all. */
  macs: readonly string[] | null;
  /** First and last seen there then sort the list. */
  visible?: readonly string[] | null;
  terminal?: string | null | undefined;
  random?: boolean | undefined;
  authenticated?: boolean | undefined;
  guests?: readonly string[];
  keyword?: string | undefined;
  leftSince?: Date | undefined;
  alsoMacs?: readonly string[];
  flowAbove?: number | undefined;
  /** History only. */
  seenSince?: Date | undefined;
  firstSince?: Date | undefined;
  firstBefore?: Date | undefined;
  /** Present clients only. */
  serial?: string | undefined;
  ssid?: string | undefined;
  band?: number | undefined;
  rssiBelow?: number | undefined;
}

export interface StationOrder {
  by: 'login_at' | 'last_seen' | 'rssi' | 'flow' | 'mac' | 'hostname';
  descending: boolean;
}

export const among = (column: string, gwids: readonly string[] | null) =>
  gwids ? sql` and ${sql.ref(column)} = any(${[...gwids]}::uuid[])` : sql``;

interface Source {
  from: RawBuilder<unknown>;
  terms: RawBuilder<unknown>[];
  sorts: Partial<Record<StationOrder['by'], RawBuilder<unknown>>>;
}

/** Reaches back as long as days are kept. */
export function sightings(
  accountId: string,
  gwids: readonly string[],
  macs: readonly string[] | null,
): RawBuilder<unknown> {
  return sql`
    select d.mac, min(d.first_at) as first_at, max(d.last_at) as last_at from station_day d
    where d.account_id = ${accountId}${among('d.gwid', gwids)}${macs ? sql` and d.mac = any(${[...macs]}::text[])` : sql``}
    group by d.mac`;
}

/** Filters clients before grouping with `whole`. */
function sourceOf(
  accountId: string,
  query: StationQuery,
  order: StationOrder | null,
  lazy: boolean,
  whole: readonly RawBuilder<unknown>[],
): Source {
  const { gwids, tab } = query;
  const narrowed = whole.map((term) => sql` and ${term}`);
  const only = narrowed.length > 0 ? sql.join(narrowed, sql``) : sql``;
  if (tab === 'online') {
    const sorts = {
      login_at: sql`o.started_at`,
      last_seen: sql`o.last_at`,
      rssi: sql`o.rssi`,
      flow: sql`o.down + o.up`,
    };
    const mine = presentIn(accountId, gwids);
    // wireless first, nearest first, latest first
    if (!lazy) {
      return {
        from: sql`(select distinct on (o.mac) o.* from station_open o where ${mine}${only}
          order by o.mac, (o.band > 0) desc, (o.behind is null) desc, o.started_at desc, o.serial desc, o.bssid desc) o`,
        terms: [],
        sorts,
      };
    }
    return { from: sql`station_open o`, terms: [mine, isBest(accountId, gwids)], sorts };
  }
  if (tab === 'today') {
    return {
      from: sql`(
        select o.account_id, o.mac, min(o.first_at) as started_at, max(o.last_at) as last_at, sum(o.down)::bigint as down,
          sum(o.up)::bigint as up, bool_or(o.authenticated) as authenticated, null::text as ip, null::text as username
        from station_day o where o.account_id = ${accountId} and o.day = ${query.day}::date${among('o.gwid', gwids)}${only}
        group by o.account_id, o.mac) o`,
      terms: [],
      sorts: { login_at: sql`o.started_at`, last_seen: sql`o.last_at`, flow: sql`o.down + o.up` },
    };
  }
  const seenThere = order && order.by !== 'mac' && order.by !== 'hostname' ? query.visible : null;
  const known = gwids
    ? [
        sql`exists (select from station_day d where d.account_id = o.account_id and d.mac = o.mac${among('d.gwid', gwids)})`,
      ]
    : [];
  return {
    from: seenThere
      ? sql`station o join (${sightings(accountId, seenThere, null)}) v on v.mac = o.mac`
      : sql`station o`,
    terms: [sql`o.account_id = ${accountId}`, ...known],
    sorts: seenThere
      ? { login_at: sql`v.first_at`, last_seen: sql`v.last_at` }
      : { login_at: sql`o.first_seen`, last_seen: sql`o.last_seen` },
  };
}

const presentIn = (accountId: string, gwids: readonly string[] | null) =>
  sql`o.account_id = ${accountId}${among('o.gwid', gwids)} and ${isConnected(accountId, 'o.serial')}`;

/** `offset 0` prevents a quadratic join. */
const isBest = (accountId: string, gwids: readonly string[] | null) => sql`not exists (
  select from station_open b where b.account_id = o.account_id and b.mac = o.mac${among('b.gwid', gwids)}
    and ${isConnected(accountId, 'b.serial')}
    and (b.band > 0, b.behind is null, b.started_at, b.serial, b.bssid) > (o.band > 0, o.behind is null, o.started_at, o.serial, o.bssid) offset 0)`;

/** Reads any device: the access point knows the signal, the gateway the authentication. */
function reportedAnywhere(
  accountId: string,
  { tab, gwids }: StationQuery,
  reported: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const now = tab === 'online' ? sql` and ${isConnected(accountId, 'a.serial')}` : sql``;
  return sql`((o.mac in (
    select a.mac from station_open a where a.account_id = ${accountId}${among('a.gwid', gwids)} and ${reported}${now})) is true)`;
}

/** Looks up lazy pages, else uses one set: row security makes accounts look small, and a join would loop. */
function isKnown(accountId: string, query: StationQuery, lazy: boolean, so: RawBuilder<unknown>): RawBuilder<unknown> {
  return lazy
    ? sql`exists (select from station s where s.account_id = o.account_id and s.mac = o.mac and ${so} offset 0)`
    : sql`((o.mac in (select s.mac from station s
        where s.account_id = ${accountId} and s.last_seen >= ${seenSince(accountId, query)} and ${so})) is true)`;
}

/** Excludes most history. Calendar days begin at most 14 hours before UTC's. */
function seenSince(accountId: string, { tab, day, gwids }: StationQuery): RawBuilder<unknown> {
  return tab === 'today'
    ? sql`(${day}::date::timestamp at time zone 'UTC') - interval '14 hours'`
    : sql`(select min(o.last_at) from station_open o where ${presentIn(accountId, gwids)})`;
}

const orGuest = ({ guests }: StationQuery) => (guests?.length ? sql` or o.mac = any(${[...guests]}::text[])` : sql``);

function wholeTerms(accountId: string, query: StationQuery, lazy: boolean): RawBuilder<unknown>[] {
  const { tab, macs, terminal, random, authenticated, keyword } = query;
  const terms: RawBuilder<unknown>[] = [];
  const s = tab === 'history' ? 'o' : 's';
  const known = (so: RawBuilder<unknown>) => (tab === 'history' ? so : isKnown(accountId, query, lazy, so));
  if (macs) terms.push(sql`o.mac = any(${[...macs]}::text[])`);
  if (terminal !== undefined) terms.push(known(sql`${sql.ref(`${s}.terminal_type`)} is not distinct from ${terminal}`));
  if (random !== undefined) terms.push(known(sql`${sql.ref(`${s}.random_mac`)} = ${random}`));
  if (tab === 'online' && authenticated !== undefined)
    terms.push(sql`(${reportedAnywhere(accountId, query, sql`a.authenticated`)}${orGuest(query)}) = ${authenticated}`);
  if (keyword) {
    const pattern = containing(keyword);
    const mac = macContaining(keyword);
    const byMac = mac ? sql` or o.mac like ${mac}` : sql``;
    const address = canonicalIp(keyword);
    const here = reportedAnywhere(
      accountId,
      query,
      sql`(a.ip like ${pattern} or a.ip6 ilike ${pattern} or a.username ilike ${pattern}
        or coalesce(${address} in (a.ip, a.ip6), false))`,
    );
    const marked = query.alsoMacs?.length ? sql` or o.mac = any(${[...query.alsoMacs]}::text[])` : sql``;
    const named = known(sql`${sql.ref(`${s}.hostname`)} ilike ${pattern}`);
    const had = tab === 'online' ? null : hadAddress(accountId, query, address ?? keyword, query.leftSince);
    terms.push(sql`(${named}${byMac} or ${here}${had ? sql` or ${had}` : sql``}${marked})`);
  }
  return terms;
}

function rowTerms(query: StationQuery): RawBuilder<unknown>[] {
  const { tab, authenticated, flowAbove } = query;
  const terms: RawBuilder<unknown>[] = [];
  if (tab === 'today' && authenticated !== undefined)
    terms.push(sql`(o.authenticated${orGuest(query)}) = ${authenticated}`);
  if (tab !== 'history' && flowAbove !== undefined) terms.push(sql`o.down + o.up > ${flowAbove}`);
  if (tab === 'history') {
    const { gwids, seenSince, firstSince, firstBefore } = query;
    if (seenSince) {
      terms.push(sql`o.last_seen >= ${seenSince}`);
      // a local day differs from UTC's by one at most
      if (gwids) {
        terms.push(sql`exists (
          select from station_day d where d.account_id = o.account_id and d.mac = o.mac${among('d.gwid', gwids)}
            and d.day >= (${seenSince}::timestamptz at time zone 'UTC')::date - 1 and d.last_at >= ${seenSince})`);
      }
    }
    if (firstSince) terms.push(sql`o.first_seen >= ${firstSince}`);
    if (firstBefore) terms.push(sql`o.first_seen < ${firstBefore}`);
  }
  if (tab === 'online') {
    if (query.serial) terms.push(sql`${sql.raw(nearestTo('o'))} = ${query.serial}`);
    if (query.ssid) terms.push(sql`o.ssid = ${query.ssid}`);
    if (query.band !== undefined) terms.push(sql`${sql.raw(bandAt('o'))} = ${query.band}`);
    if (query.rssiBelow !== undefined) terms.push(sql`o.rssi < ${query.rssiBelow}`);
  }
  return terms;
}

/** Follows an index only if it skips few rows: other filters read all rows and count them too. */
function isLazy(query: StationQuery, order: StationOrder | null): boolean {
  if (query.gwids !== null || query.serial || query.tab === 'today') return false;
  return order?.by === 'mac' || (order?.by === 'login_at' && !query.keyword && query.authenticated === undefined);
}

const isFiltered = (accountId: string, query: StationQuery): boolean =>
  wholeTerms(accountId, query, false).length + rowTerms(query).length > 0;

function parts(accountId: string, query: StationQuery, order: StationOrder | null, lazy: boolean) {
  const whole = wholeTerms(accountId, query, lazy);
  const inside = !lazy && query.tab !== 'history';
  const source = sourceOf(accountId, query, order, lazy, inside ? whole : []);
  const terms = [...(inside ? [] : whole), ...rowTerms(query)];
  const byName = order?.by === 'hostname';
  const join =
    query.tab !== 'history' && byName ? sql` join station s on s.account_id = o.account_id and s.mac = o.mac` : sql``;
  const where = sql.join([...source.terms, ...terms, sql`true`], sql` and `);
  const sorts = {
    ...source.sorts,
    mac: sql`o.mac`,
    hostname: query.tab === 'history' ? sql`o.hostname` : sql`s.hostname`,
  };
  return { from: sql`${source.from}${join}`, where, sorts };
}

/** Sorts by last seen if the tab lacks the column. */
export async function stationPage(
  tx: Tx,
  accountId: string,
  query: StationQuery,
  order: StationOrder,
  page: { limit: number; offset: number },
): Promise<{ macs: string[]; total: number }> {
  await workMemFor(tx, query);
  const first = await firstOfAll(tx, accountId, query, order, page);
  if (first) return { macs: first, total: await countStations(tx, accountId, query) };
  if (query.tab === 'history' && order.by === 'hostname' && order.descending && isCounted(accountId, query))
    return { macs: await namesBackwards(tx, accountId, page), total: await countStations(tx, accountId, query) };
  const lazy = isLazy(query, order);
  const { from, where, sorts } = parts(accountId, query, order, lazy);
  const whole = !lazy && !isCounted(accountId, query);
  const { rows } = await sql<{ mac: string; total: number | null }>`
    select o.mac, ${whole ? sql`count(*) over ()` : sql`null::bigint`} as total from ${from} where ${where}
    order by ${inOrder(sorts, order)} limit ${page.limit} offset ${page.offset}
  `.execute(tx);
  const macs = rows.map((row) => row.mac);
  const isLast = macs.length < page.limit && (macs.length > 0 || page.offset === 0);
  const known = isLast ? page.offset + macs.length : rows[0]?.total;
  return { macs, total: known ?? (await countStations(tx, accountId, query)) };
}

const placesATerminal = 3;

/** Avoids grouping all for unindexed orders. Returns null if it does not apply or suffice. */
async function firstOfAll(
  tx: Tx,
  accountId: string,
  query: StationQuery,
  order: StationOrder,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[] | null> {
  if (query.tab !== 'online' || isLazy(query, order) || isFiltered(accountId, query)) return null;
  const by = sourceOf(accountId, query, order, true, []).sorts[order.by];
  if (!by) return null;
  const ordered = inOrder({ [order.by]: by }, order);
  const places = (offset + limit) * placesATerminal;
  const { rows } = await sql<{ macs: string[]; places: number }>`
    with first as materialized (
      select o.* from station_open o where ${presentIn(accountId, query.gwids)} order by ${ordered} limit ${places})
    select (select count(*)::integer from first) as places, array(
      select o.mac from first o where ${isBest(accountId, query.gwids)} order by ${ordered}
      limit ${limit} offset ${offset}) as macs
  `.execute(tx);
  const { macs, places: found } = rows[0]!;
  return macs.length === limit || found < places ? macs : null;
}

/** Puts missing host names last, which a backward index scan would return first. */
async function namesBackwards(
  tx: Tx,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const macs: string[] = [];
  let passed = 0;
  for (const half of [sql`o.hostname is not null`, sql`o.hostname is null`]) {
    const from = sql`from station o where o.account_id = ${accountId} and ${half}`;
    const { rows } = await sql<{ mac: string }>`
      select o.mac ${from} order by o.hostname desc, o.mac desc
      limit ${limit - macs.length} offset ${Math.max(0, offset - passed)}
    `.execute(tx);
    macs.push(...rows.map(({ mac }) => mac));
    if (macs.length === limit) break;
    const counted = macs.length > 0 ? null : await sql<{ n: number }>`select count(*) as n ${from}`.execute(tx);
    passed = counted?.rows[0]?.n ?? offset;
  }
  return macs;
}

/** Sorts missing values last, then by MAC. */
function inOrder(sorts: Source['sorts'], { by, descending }: StationOrder): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'desc' : 'asc');
  // others are never null, so an index applies
  const nulls = by === 'rssi' || by === 'hostname' ? sql` nulls last` : sql``;
  return sql`${sorts[by] ?? sorts.last_seen!} ${direction}${nulls}, o.mac ${direction}`;
}

function isCounted(accountId: string, query: StationQuery): boolean {
  if (query.tab === 'online' || isFiltered(accountId, query)) return false;
  return query.gwids === null || (query.tab === 'today' && query.gwids.length === 1);
}

export async function countStations(tx: Tx, accountId: string, query: StationQuery): Promise<number> {
  if (isCounted(accountId, query)) {
    const { rows } = await (query.tab === 'today'
      ? sql<{ total: number }>`
          select coalesce(sum(online), 0)::integer as total from users_day_part
          where account_id = ${accountId} and day = ${query.day}::date and gwid = ${query.gwids?.[0] ?? wholeAccount}`
      : sql<{ total: number }>`
          select coalesce(sum(terminals), 0)::integer as total from station_part
          where account_id = ${accountId} and kind = 'seen'`
    ).execute(tx);
    return rows[0]!.total;
  }
  if (query.tab === 'online' && !isFiltered(accountId, query)) return (await usersNow(tx, accountId, query)).online;
  const { from, where } = parts(accountId, query, null, false);
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${from} where ${where}`.execute(tx);
  return rows[0]!.total;
}

/** For exports. */
export async function stationMacs(
  tx: Tx,
  accountId: string,
  query: StationQuery,
  order: StationOrder,
  limit: number,
): Promise<string[]> {
  await workMemFor(tx, query);
  const { from, where, sorts } = parts(accountId, query, order, false);
  const { rows } = await sql<{ mac: string }>`
    select o.mac from ${from} where ${where} order by ${inOrder(sorts, order)} limit ${limit}
  `.execute(tx);
  return rows.map((row) => row.mac);
}
