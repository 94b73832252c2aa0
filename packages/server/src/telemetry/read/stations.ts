import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { wholeAccount } from '../day-counts.ts';
import { isConnected } from './connected.ts';
import { usersNow } from './now.ts';
import { roomFor } from './room.ts';
import type { Reach } from './types.ts';

/** A list of terminals: who is there, who was there on a day of the account's calendar, who was ever there. */
export interface StationQuery extends Reach {
  tab: 'online' | 'today' | 'history';
  /** Today, `YYYY-MM-DD`. */
  day: string;
  /** Only these; null is everybody. */
  macs: readonly string[] | null;
  /** Networks that the caller is narrowed to: it orders by when terminals were seen there. */
  visible?: readonly string[] | null;
  terminal?: string | null | undefined;
  random?: boolean | undefined;
  authenticated?: boolean | undefined;
  keyword?: string | undefined;
  /** Terminals that the keyword finds by what telemetry does not know. */
  alsoMacs?: readonly string[];
  /** More bytes than this: of the session for who is there, of the day for who was. */
  flowAbove?: number | undefined;
  /** Last seen, first seen since a time, or first seen before it; only of everybody ever seen. */
  seenSince?: Date | undefined;
  firstSince?: Date | undefined;
  firstBefore?: Date | undefined;
  /** Where a terminal is now; only of who is there. */
  serial?: string | undefined;
  ssid?: string | undefined;
  band?: number | undefined;
  rssiBelow?: number | undefined;
}

/** In which order. */
export interface StationOrder {
  by: 'login_at' | 'last_seen' | 'rssi' | 'flow' | 'mac' | 'hostname';
  descending: boolean;
}

const among = (column: string, gwids: readonly string[] | null) =>
  gwids ? sql` and ${sql.ref(column)} = any(${[...gwids]}::uuid[])` : sql``;

const containing = (keyword: string) => `%${keyword.replace(/[\\%_]/g, '\\$&')}%`;

/** A list's source with its columns, and whether `station` has to be joined for what is asked. */
interface Source {
  from: RawBuilder<unknown>;
  terms: RawBuilder<unknown>[];
  sorts: Partial<Record<StationOrder['by'], RawBuilder<unknown>>>;
}

/** When terminals, all or some, were first and last seen in some networks; as far back as days are kept. */
function sightings(accountId: string, gwids: readonly string[], macs: readonly string[] | null): RawBuilder<unknown> {
  return sql`
    select d.mac, min(d.first_at) as first_at, max(d.last_at) as last_at from station_day d
    where d.account_id = ${accountId}${among('d.gwid', gwids)}${macs ? sql` and d.mac = any(${[...macs]}::text[])` : sql``}
    group by d.mac`;
}

function sourceOf(accountId: string, query: StationQuery, order: StationOrder | null, lazy: boolean): Source {
  const { gwids, tab } = query;
  if (tab === 'online') {
    const sorts = {
      login_at: sql`o.started_at`,
      last_seen: sql`o.last_at`,
      rssi: sql`o.rssi`,
      flow: sql`o.down + o.up`,
    };
    const mine = sql`o.account_id = ${accountId}${among('o.gwid', gwids)} and ${isConnected(accountId, 'o.serial')}`;
    // one row a terminal: on the air before on a cable, the latest before earlier ones
    if (!lazy) {
      return {
        from: sql`(select distinct on (o.mac) o.* from station_open o where ${mine}
          order by o.mac, (o.band > 0) desc, o.started_at desc, o.serial desc, o.bssid desc) o`,
        terms: [],
        sorts,
      };
    }
    // looked at row by row, along an index, until a page is full; `offset 0` keeps it from becoming a join of all with all
    const better = sql`not exists (
      select from station_open b where b.account_id = o.account_id and b.mac = o.mac${among('b.gwid', gwids)}
        and ${isConnected(accountId, 'b.serial')}
        and (b.band > 0, b.started_at, b.serial, b.bssid) > (o.band > 0, o.started_at, o.serial, o.bssid) offset 0)`;
    return { from: sql`station_open o`, terms: [mine, better], sorts };
  }
  if (tab === 'today') {
    return {
      from: sql`(
        select account_id, mac, min(first_at) as started_at, max(last_at) as last_at, sum(down)::bigint as down,
          sum(up)::bigint as up, bool_or(authenticated) as authenticated, null::text as ip, null::text as username
        from station_day d where d.account_id = ${accountId} and d.day = ${query.day}::date${among('d.gwid', gwids)}
        group by account_id, mac) o`,
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

/**
 * Whether any place of a terminal says so, those of connected devices on the tab of who is there: an access point knows
 * its signal, the gateway behind it who signed in. A set, made once.
 */
function saidAnywhere(accountId: string, { tab, gwids }: StationQuery, said: RawBuilder<unknown>): RawBuilder<boolean> {
  const now = tab === 'online' ? sql` and ${isConnected(accountId, 'a.serial')}` : sql``;
  return sql`((o.mac in (
    select a.mac from station_open a where a.account_id = ${accountId}${among('a.gwid', gwids)} and ${said}${now})) is true)`;
}

/**
 * Whether what is known of a terminal (alias `s`) is so: looked up where a page is put together row by row, else a set,
 * made once. As a join it would be walked one by one: row security makes an account look small to the planner.
 */
function isKnown(accountId: string, lazy: boolean, so: RawBuilder<unknown>): RawBuilder<unknown> {
  return lazy
    ? sql`exists (select from station s where s.account_id = o.account_id and s.mac = o.mac and ${so} offset 0)`
    : sql`((o.mac in (select s.mac from station s where s.account_id = ${accountId} and ${so})) is true)`;
}

function termsOf(accountId: string, query: StationQuery, lazy = false): RawBuilder<unknown>[] {
  const { tab, macs, terminal, random, authenticated, keyword, flowAbove } = query;
  const terms: RawBuilder<unknown>[] = [];
  const s = tab === 'history' ? 'o' : 's';
  const known = (so: RawBuilder<unknown>) => (tab === 'history' ? so : isKnown(accountId, lazy, so));
  if (macs) terms.push(sql`o.mac = any(${[...macs]}::text[])`);
  if (terminal !== undefined) terms.push(known(sql`${sql.ref(`${s}.terminal_type`)} is not distinct from ${terminal}`));
  if (random !== undefined) terms.push(known(sql`${sql.ref(`${s}.random_mac`)} = ${random}`));
  if (tab !== 'history') {
    const signedIn = tab === 'online' ? saidAnywhere(accountId, query, sql`a.authenticated`) : sql`o.authenticated`;
    if (authenticated !== undefined) terms.push(sql`${signedIn} = ${authenticated}`);
    if (flowAbove !== undefined) terms.push(sql`o.down + o.up > ${flowAbove}`);
  }
  if (tab === 'history') {
    const { gwids, seenSince, firstSince, firstBefore } = query;
    if (seenSince) {
      terms.push(sql`o.last_seen >= ${seenSince}`);
      // of some networks it counts when it was seen there; a local day is at most a day away from the day of UTC
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
    if (query.serial) terms.push(sql`o.serial = ${query.serial}`);
    if (query.ssid) terms.push(sql`o.ssid = ${query.ssid}`);
    if (query.band !== undefined) terms.push(sql`o.band = ${query.band}`);
    if (query.rssiBelow !== undefined) terms.push(sql`o.rssi < ${query.rssiBelow}`);
  }
  if (keyword) {
    const pattern = containing(keyword);
    const digits = keyword.replace(/[:.-]/g, '').toLowerCase();
    const byMac = /^[0-9a-f]{2,12}$/.test(digits) ? sql` or o.mac like ${`%${digits}%`}` : sql``;
    const here = saidAnywhere(accountId, query, sql`(a.ip like ${pattern} or a.username ilike ${pattern})`);
    const marked = query.alsoMacs?.length ? sql` or o.mac = any(${[...query.alsoMacs]}::text[])` : sql``;
    const named = known(sql`${sql.ref(`${s}.hostname`)} ilike ${pattern}`);
    terms.push(sql`(${named}${byMac} or ${here}${marked})`);
  }
  return terms;
}

/**
 * Along an index only where hardly a row is passed over: of one network, one device or one day all rows are taken at once,
 * and for a keyword or who signed in too, which is looked for among all; all of those have to be counted anyway.
 */
function isLazy(query: StationQuery, order: StationOrder | null): boolean {
  if (query.gwids !== null || query.serial || query.tab === 'today') return false;
  return order?.by === 'mac' || (order?.by === 'login_at' && !query.keyword && query.authenticated === undefined);
}

function parts(accountId: string, query: StationQuery, order: StationOrder | null, lazy: boolean) {
  const source = sourceOf(accountId, query, order, lazy);
  const terms = termsOf(accountId, query, lazy);
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

/**
 * The MACs of one page, in order, and how many terminals the list has. A column that the tab does not have sorts by when
 * the terminal was last seen.
 */
export async function stationPage(
  tx: Tx,
  accountId: string,
  query: StationQuery,
  order: StationOrder,
  page: { limit: number; offset: number },
): Promise<{ macs: string[]; total: number }> {
  await roomFor(tx, query);
  const lazy = isLazy(query, order);
  const { from, where, sorts } = parts(accountId, query, order, lazy);
  // where all rows are looked at anyway, they are counted on the way
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

/** By the value that is asked for, then by MAC; who has no such value stands last, whichever way the list goes. */
function inOrder(sorts: Source['sorts'], { by, descending }: StationOrder): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'desc' : 'asc');
  // of the others every row has a value, and an index may be followed
  const nulls = by === 'rssi' || by === 'hostname' ? sql` nulls last` : sql``;
  return sql`${sorts[by] ?? sorts.last_seen!} ${direction}${nulls}, o.mac ${direction}`;
}

/** Whether it is counted anyway how many there are: everybody who was there today, or ever. */
function isCounted(accountId: string, query: StationQuery): boolean {
  if (query.tab === 'online' || termsOf(accountId, query).length > 0) return false;
  return query.gwids === null || (query.tab === 'today' && query.gwids.length === 1);
}

/** How many terminals the list has. */
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
  if (query.tab === 'online' && termsOf(accountId, query).length === 0)
    return (await usersNow(tx, accountId, query)).online;
  const { from, where } = parts(accountId, query, null, false);
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${from} where ${where}`.execute(tx);
  return rows[0]!.total;
}

/** The MACs of the whole list in its order, at most so many: for a file. */
export async function stationMacs(
  tx: Tx,
  accountId: string,
  query: StationQuery,
  order: StationOrder,
  limit: number,
): Promise<string[]> {
  await roomFor(tx, query);
  // an index is no help to who wants all of them
  const { from, where, sorts } = parts(accountId, query, order, false);
  const { rows } = await sql<{ mac: string }>`
    select o.mac from ${from} where ${where} order by ${inOrder(sorts, order)} limit ${limit}
  `.execute(tx);
  return rows.map((row) => row.mac);
}

/** What telemetry knows of a terminal: what it is, where it is or was last, and its flow of a day. */
export interface StationFacts {
  mac: string;
  /** It was seen at least once, in a network that the transaction may see. */
  known: boolean;
  online: boolean;
  random_mac: boolean | null;
  hostname: string | null;
  terminal_type: string | null;
  type_source: string | null;
  brand: string | null;
  os: string | null;
  first_seen: Date | null;
  last_seen: Date | null;
  serial: string | null;
  gwid: string | null;
  ssid: string | null;
  bssid: string | null;
  band: number | null;
  port: string | null;
  ip: string | null;
  username: string | null;
  authenticated: boolean | null;
  started_at: Date | null;
  last_at: Date | null;
  down: number | null;
  up: number | null;
  rssi: number | null;
  /** Bytes of the day, both ways. */
  flow_today: number;
  /** When the device last reported. */
  as_of: Date | null;
}

/** What the places of a terminal at connected devices say together; nothing where there is none. */
const saidByAny = sql`
  bool_or(o.authenticated) filter (where l.connected_since is not null) over () as any_authenticated,
  max(o.username) filter (where l.connected_since is not null) over () as any_username,
  max(o.ip) filter (where l.connected_since is not null) over () as any_ip`;

/**
 * Facts of terminals in the order of their MACs, one for each; of an unknown one there is nothing but the MAC. Who is
 * narrowed to networks (`visible`) is told when they were seen there.
 */
export async function stationFacts(
  tx: Tx,
  accountId: string,
  { macs, gwids, day, visible }: Reach & { macs: readonly string[]; day: string; visible?: readonly string[] | null },
): Promise<StationFacts[]> {
  if (macs.length === 0) return [];
  const { rows } = await sql<StationFacts>`
    select m.mac, (s.mac is not null${
      gwids
        ? sql` and exists (select from station_day d where d.account_id = ${accountId} and d.mac = m.mac${among('d.gwid', gwids)})`
        : sql``
    } or p.serial is not null) as known,
      coalesce(p.present, false) as online, s.random_mac, s.hostname, s.terminal_type, s.type_source, s.brand, s.os,
      ${visible ? sql`coalesce(v.first_at, p.started_at) as first_seen, v.last_at as last_seen` : sql`s.first_seen, s.last_seen`},
      p.serial, p.gwid, p.ssid, p.bssid, p.band, p.port, coalesce(p.ip, p.any_ip) as ip,
      coalesce(p.username, p.any_username) as username, coalesce(p.any_authenticated, p.authenticated) as authenticated,
      p.started_at, p.last_at, p.down, p.up, p.rssi, p.as_of, coalesce(t.flow, 0) as flow_today
    from unnest(${[...macs]}::text[]) with ordinality m (mac, n)
    left join station s on s.account_id = ${accountId} and s.mac = m.mac
    ${visible ? sql`left join (${sightings(accountId, visible, macs)}) v on v.mac = m.mac` : sql``}
    left join lateral (
      select o.*, l.connected_since is not null as present, c.at as as_of, ${saidByAny}
      from station_open o
      left join device_link l on l.account_id = o.account_id and l.serial = o.serial
      left join device_counters c on c.account_id = o.account_id and c.serial = o.serial
      where o.account_id = ${accountId} and o.mac = m.mac${among('o.gwid', gwids)}
      order by present desc, o.band > 0 desc, o.started_at desc, o.serial desc, o.bssid desc limit 1) p on true
    left join lateral (
      select sum(d.down + d.up)::bigint as flow from station_day d
      where d.account_id = ${accountId} and d.mac = m.mac and d.day = ${day}::date${among('d.gwid', gwids)}) t on true
    order by m.n
  `.execute(tx);
  const away = rows.filter((row) => row.known && !row.serial && row.last_seen);
  if (away.length > 0) await addLastPlaces(tx, accountId, away, gwids);
  return rows;
}

/** Where those were last who are not there any more. */
async function addLastPlaces(
  tx: Tx,
  accountId: string,
  away: StationFacts[],
  gwids: readonly string[] | null,
): Promise<void> {
  const earliest = new Date(Math.min(...away.map((row) => row.last_seen!.getTime())) - 86_400_000);
  const { rows } = await sql<
    Pick<StationFacts, 'mac' | 'serial' | 'gwid' | 'ssid' | 'bssid' | 'band' | 'ip' | 'username'>
  >`
    select m.mac, e.serial, e.gwid, e.ssid, e.bssid, e.band, e.ip, e.username
    from unnest(${away.map((row) => row.mac)}::text[]) m (mac)
    cross join lateral (
      select * from station_session e where e.account_id = ${accountId} and e.mac = m.mac and e.ended_at >= ${earliest}${among('e.gwid', gwids)}
      order by e.ended_at desc limit 1) e
  `.execute(tx);
  const places = new Map(rows.map((row) => [row.mac, row]));
  for (const row of away) Object.assign(row, places.get(row.mac));
}

/** Those of the terminals that the transaction may know: seen in a network that row security shows. */
export async function knownStations(tx: Tx, macs: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ mac: string }>`
    select s.mac from station s where s.mac = any(${[...macs]}::text[]) and (
      (select platform.networks()) is null
      or exists (select from station_day d where d.account_id = s.account_id and d.mac = s.mac)
      or exists (select from station_open o where o.account_id = s.account_id and o.mac = s.mac))
  `.execute(tx);
  return new Set(rows.map((row) => row.mac));
}
