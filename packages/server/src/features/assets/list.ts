import { type AssetClass, assets as contract, type DataOf, type InputOf } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import { dayOf } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { makers } from '../../platform/mac-makers.ts';
import { containing, hasTag, macContaining } from '../../platform/search/index.ts';
import { seenIn, stationFacts } from '../../telemetry/read/index.ts';
import { fleetDevices } from '../fleet/index.ts';
import { accounts } from '../identity/index.ts';
import { type AssetBox, boxesOf } from './boxes.ts';
import { beginsWith, guessedClass } from './classes.ts';

type ListInput = InputOf<typeof contract.list>;
type AssetRow = DataOf<typeof contract.list>['list'][number];
export type AssetFilter = Omit<ListInput, 'page' | 'limit'>;

/** With its devices and the local day. */
export interface Place {
  accountId: string;
  gwid: string;
  now: Date;
  today: string;
  boxes: AssetBox[];
}

export async function placeOf(tx: Tx, accountId: string, gwid: string, now: Date): Promise<Place> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  return { accountId, gwid, now, today: dayOf(now, zone), boxes: await boxesOf(tx, accountId, gwid, now) };
}

interface Found {
  mac: string;
  class: AssetClass;
  class_by: AssetRow['class_by'];
  name: string | null;
  ip: string | null;
  last_at: Date | null;
  random_mac: boolean;
  managed: boolean;
  tags: string[];
  note: string;
  is_new: boolean;
}

const usualDays = 30;
const day = 86_400_000;

/** Selects one row per asset and mark. */
async function seen(place: Place, days: number): Promise<RawBuilder<unknown>> {
  const { accountId, gwid, today, now, boxes } = place;
  const newDays = contract.assetLimits.newDays;
  const since = new Date(now.getTime() - newDays * day);
  const listed = JSON.stringify(boxes.map(({ online: _online, above: _above, ...box }) => box));
  return sql`
    with boxes as (
      select * from jsonb_to_recordset(${listed}::jsonb)
        as b (mac text, class text, name text, ip text, first_at timestamptz, last_at timestamptz, managed boolean, tags text[])
    ), things as (
      select mac, class, name, ip, last_at, coalesce(first_at > ${since}, false) as is_new, false as random_mac, managed, tags
      from boxes
      union all
      select s.mac, ${await guessedClass('s')}, s.hostname, s.ip, s.last_at, s.is_new, s.random_mac, false, '{}'
      from (${seenIn(accountId, { gwid, today, days, newDays })}) s
      where not exists (select from boxes b where b.mac = s.mac)
    )
    select t.mac, t.random_mac, t.managed, t.ip, t.last_at,
      case when t.managed then t.class else coalesce(m.class, t.class, 'unknown') end as class,
      case when t.managed then 'managed' when m.class is not null then 'operator' when t.class is not null then 'guess' end as class_by,
      case when t.managed then t.name else coalesce(nullif(m.name, ''), t.name) end as name,
      t.tags || coalesce(m.tags, '{}') as tags, coalesce(m.note, '') as note,
      t.is_new and m.known_at is null as is_new
    from things t
    left join asset_mark m on m.account_id = ${accountId} and m.gwid = ${gwid} and m.mac = t.mac`;
}

const daysOf = ({ days }: { days?: string | undefined }) => Number(days ?? usualDays);

async function termsOf(input: AssetFilter): Promise<RawBuilder<unknown>> {
  const { keyword, random, tag, fresh } = input;
  const terms = [random === 'only' ? sql`a.random_mac` : random === 'include' ? sql`true` : sql`not a.random_mac`];
  if (input.class) terms.push(sql`a.class = ${input.class}`);
  if (tag) terms.push(hasTag('a.tags', tag));
  if (fresh) terms.push(sql`a.is_new`);
  if (keyword) {
    const pattern = containing(keyword);
    const mac = macContaining(keyword);
    const byMac = mac ? sql` or a.mac like ${mac}` : sql``;
    const word = keyword.toLowerCase();
    const made = word.length < 3 ? [] : (await makers()).saying((name) => name.toLowerCase().includes(word), 5000);
    const byMaker = made.length > 0 ? sql` or (not a.random_mac and ${beginsWith('a', made)})` : sql``;
    terms.push(
      sql`(a.name ilike ${pattern} or a.ip like ${pattern} or a.note ilike ${pattern}
        or array_to_string(a.tags, ' ') ilike ${pattern}${byMac}${byMaker})`,
    );
  }
  return sql.join(terms, sql` and `);
}

function orderOf({ sort, order }: Pick<AssetFilter, 'sort' | 'order'>): RawBuilder<unknown> {
  const column = { last_seen: 'last_at', name: 'name', class: 'class', id: 'mac' }[sort ?? 'last_seen'];
  const direction = sql.raw((order ?? (sort ? 'asc' : 'desc')) === 'desc' ? 'desc' : 'asc');
  return sql`${sql.ref(`a.${column}`)} ${direction} nulls last, a.mac ${direction}`;
}

async function find(
  tx: Tx,
  place: Place,
  input: AssetFilter,
  page: { limit: number; offset: number },
): Promise<(Found & { total: number })[]> {
  const { rows } = await sql<Found & { total: number }>`
    select a.*, (count(*) over ())::integer as total from (${await seen(place, daysOf(input))}) a
    where ${await termsOf(input)} order by ${orderOf(input)} limit ${page.limit} offset ${page.offset}
  `.execute(tx);
  return rows;
}

export async function listAssets(
  tx: Tx,
  place: Place,
  { page = 1, limit = 10, ...input }: ListInput,
): Promise<{ list: AssetRow[]; total: number }> {
  const rows = await find(tx, place, input, { limit, offset: (page - 1) * limit });
  // an empty page has no total
  const total =
    rows[0]?.total ?? (page > 1 ? ((await find(tx, place, input, { limit: 1, offset: 0 }))[0]?.total ?? 0) : 0);
  return { list: await presented(tx, place, rows), total };
}

/** Returns them in list order. */
export async function assetMacs(tx: Tx, place: Place, input: AssetFilter, limit: number): Promise<string[]> {
  return (await find(tx, place, input, { limit, offset: 0 })).map(({ mac }) => mac);
}

/** Keeps the order; omits unseen ones. */
export async function assetsByMac(
  tx: Tx,
  place: Place,
  macs: readonly string[],
  days: { days?: string | undefined } = { days: '400' },
): Promise<AssetRow[]> {
  const { rows } = await sql<Found>`
    select a.* from (${await seen(place, daysOf(days))}) a
    join unnest(${[...macs]}::text[]) with ordinality k (mac, n) on k.mac = a.mac
    where a.mac = any(${[...macs]}::text[]) order by k.n
  `.execute(tx);
  return presented(tx, place, rows);
}

/** Counts by class, new ones, and randomized addresses. */
export async function countAssets(
  tx: Tx,
  place: Place,
  days: string | undefined,
): Promise<{ fresh: number; random: number; classes: { class: AssetClass; count: number }[] }> {
  const { rows } = await sql<{ class: AssetClass; count: number; fresh: number; random: number }>`
    select class, (count(*) filter (where not random_mac))::integer as count,
      (count(*) filter (where is_new and not random_mac))::integer as fresh,
      (count(*) filter (where random_mac))::integer as random
    from (${await seen(place, daysOf({ days }))}) a group by class order by class
  `.execute(tx);
  const sum = (of: 'fresh' | 'random') => rows.reduce((all, row) => all + row[of], 0);
  const counted = rows.filter(({ count }) => count > 0);
  return {
    fresh: sum('fresh'),
    random: sum('random'),
    classes: counted.map((row) => ({ class: row.class, count: row.count })),
  };
}

/** Adds places: of clients by telemetry, of devices by the tree. */
async function presented(tx: Tx, place: Place, rows: readonly Found[]): Promise<AssetRow[]> {
  const { accountId, gwid, today } = place;
  const boxes = new Map(place.boxes.map((box) => [box.mac, box]));
  const macs = rows.flatMap(({ mac }) => (boxes.has(mac) ? [] : [mac]));
  const scope = { macs, gwids: [gwid], visible: [gwid], day: today };
  const facts = new Map((await stationFacts(tx, accountId, scope)).map((fact) => [fact.mac, fact]));
  const serials = [...facts.values()].flatMap(({ serial }) => serial ?? []);
  const names = await fleetDevices.names(tx, accountId, serials);
  const register = await makers();
  return rows.map((row): AssetRow => {
    const fact = facts.get(row.mac);
    const box = boxes.get(row.mac);
    const at = fact?.serial ?? null;
    const via: AssetRow['via'] = fact
      ? at === null
        ? null
        : {
            type: fact.band === 0 ? 'port' : 'air',
            serial: at,
            name: names.get(at)?.name ?? null,
            port: fact.port ?? null,
            ssid: fact.ssid,
          }
      : box?.above
        ? { type: 'port', ...box.above, ssid: null }
        : null;
    const { class: kind, class_by, name, random_mac, managed, tags, note, is_new } = row;
    return {
      id: row.mac,
      gwid,
      class: kind,
      class_by,
      vendor: register.of(row.mac),
      name,
      random_mac,
      managed,
      ip: fact?.ip ?? row.ip,
      first_seen: (fact?.first_seen ?? box?.first_at)?.toISOString() ?? null,
      last_seen: row.last_at?.toISOString() ?? null,
      online: fact ? fact.online : (box?.online ?? null),
      via,
      tags,
      note,
      is_new,
    };
  });
}
