import { peripherals as contract, type DataOf, type InputOf, type UnprobedReason } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { readPage } from '../../platform/database/page.ts';
import { containing, macContaining } from '../../platform/search/index.ts';
import { fleetGateways, fleetNetworks, type ProbingGateway } from '../fleet/index.ts';
import { type PeripheralRecord, peripheralTables } from './tables.ts';

type ListInput = InputOf<typeof contract.list>;
export type PeripheralRow = DataOf<typeof contract.list>['list'][number];
export type PeripheralFilter = Omit<ListInput, 'page' | 'limit'>;

const dayMs = 86_400_000;
const window = 30 * dayMs;

/** Returns why a gateway measures nothing, or null. */
function reasonOf(gateway: ProbingGateway | undefined, alive: boolean | null): UnprobedReason | null {
  if (!gateway) return 'no_gateway';
  if (!gateway.probes) return 'unsupported';
  if (!gateway.online) return 'gateway_offline';
  return alive === null ? 'waiting' : null;
}

/** Filters here, because statuses depend on gateways; an account has some thousands. */
async function find(tx: Tx, accountId: string, now: Date, filter: PeripheralFilter): Promise<PeripheralRow[]> {
  const { gwid, type, group, status, keyword, sort = 'name', order = 'asc' } = filter;
  let found = peripheralTables(tx).selectFrom('peripheral').where('account_id', '=', accountId);
  if (gwid) found = found.where('gwid', '=', gwid);
  if (type) found = found.where('type', '=', type);
  if (group) found = found.where('group', '=', group);
  if (keyword) {
    const pattern = containing(keyword);
    const mac = macContaining(keyword);
    const byMac = mac ? sql` or replace(mac, ':', '') like ${mac}` : sql``;
    found = found.where(
      sql<boolean>`(name ilike ${pattern} or "group" ilike ${pattern} or host(ip) like ${pattern}${byMac})`,
    );
  }
  const rows = await found.selectAll().select(sql<string>`host(ip)`.as('ip')).orderBy(orderOf(sort, order)).execute();
  const listed = (await presented(tx, accountId, now, rows)).filter((row) => !status || row.status === status);
  if (sort === 'name' || sort === 'ip' || sort === 'type' || sort === 'group') return listed;
  const by = (row: PeripheralRow) => (sort === 'status' ? contract.peripheralStatuses.indexOf(row.status) : row[sort]);
  const direction = order === 'desc' ? -1 : 1;
  return listed.toSorted((a, b) => {
    const [left, right] = [by(a), by(b)];
    if (left === right) return 0;
    if (left === null || right === null) return left === null ? 1 : -1;
    return (left < right ? -1 : 1) * direction;
  });
}

function orderOf(sort: ListInput['sort'], order: string): RawBuilder<unknown> {
  const column = sort === 'ip' || sort === 'type' || sort === 'group' ? sort : 'name';
  return sql`${sql.ref(`peripheral.${column}`)} ${sql.raw(order === 'desc' ? 'desc' : 'asc')} nulls last, id`;
}

/** Adds networks, statuses and 30-day figures. */
async function presented(
  tx: Tx,
  accountId: string,
  now: Date,
  rows: readonly PeripheralRecord[],
): Promise<PeripheralRow[]> {
  const gwids = rows.map((row) => row.gwid);
  const names = await fleetNetworks.names(tx, accountId, gwids);
  const gateways = await fleetGateways.probing(tx, gwids);
  const figures = await figuresOf(tx, accountId, now, rows);
  return rows.map(({ account_id: _account, created_at: created, alive, since, checked_at, rtt_ms, ...row }) => {
    const reason = reasonOf(gateways.get(row.gwid), alive);
    const figure = figures.get(row.id);
    const probed = (figure?.online_s ?? 0) + (figure?.offline_s ?? 0);
    return {
      ...row,
      network: names.get(row.gwid) ?? '',
      reason,
      status: reason ? 'unknown' : alive ? 'online' : 'offline',
      since: since?.toISOString() ?? null,
      rtt_ms: reason || !alive ? null : rtt_ms,
      checked_at: checked_at?.toISOString() ?? null,
      last_offline_at: figure?.last?.toISOString() ?? null,
      offline_count_30d: probed > 0 || (figure?.outages ?? 0) > 0 ? (figure?.outages ?? 0) : null,
      availability_30d: probed > 0 ? Math.round(((figure?.online_s ?? 0) / probed) * 10_000) / 100 : null,
      measured_since: measuredSince(figure, created, now)?.toISOString() ?? null,
    };
  });
}

interface Figure {
  id: string;
  last: Date | null;
  outages: number;
  online_s: number;
  offline_s: number;
  /** UTC day, and its probed seconds. */
  first_day: string | null;
  first_s: number;
}

/** Days alone are stored: the probing of the first one counts as its end. */
function measuredSince(figure: Figure | undefined, created: Date, now: Date): Date | null {
  if (!figure?.first_day) return null;
  const end = Math.min(Date.parse(figure.first_day) + dayMs, now.getTime());
  const at = Math.max(end - figure.first_s * 1000, created.getTime());
  return at <= now.getTime() - window + dayMs ? null : new Date(at);
}

async function figuresOf(
  tx: Tx,
  accountId: string,
  now: Date,
  rows: readonly PeripheralRecord[],
): Promise<ReadonlyMap<string, Figure>> {
  if (rows.length === 0) return new Map();
  const since = new Date(now.getTime() - window);
  const { rows: figures } = await sql<Figure>`
    select p.id, o.last, o.outages, d.online_s, d.offline_s, d.first_day,
      coalesce(d.first_s, 0) as first_s
    from unnest(${rows.map((row) => row.id)}::uuid[]) p (id)
    cross join lateral (
      select max(began_at) as last,
        (count(*) filter (where coalesce(ended_at, 'infinity') > ${since}))::integer as outages
      from peripheral_outage where account_id = ${accountId} and peripheral_id = p.id) o
    cross join lateral (
      select coalesce(sum(online_s), 0)::integer as online_s, coalesce(sum(offline_s), 0)::integer as offline_s,
        min(day)::text as first_day, (array_agg(online_s + offline_s order by day))[1] as first_s
      from peripheral_day
      where account_id = ${accountId} and peripheral_id = p.id and day > (${since} at time zone 'UTC')::date) d
  `.execute(tx);
  return new Map(figures.map((figure) => [figure.id, figure]));
}

export async function listPeripherals(
  tx: Tx,
  accountId: string,
  now: Date,
  { page = 1, limit = 10, ...filter }: ListInput,
): Promise<DataOf<typeof contract.list>> {
  const rows = await find(tx, accountId, now, filter);
  return { list: rows.slice((page - 1) * limit, page * limit), total: rows.length };
}

/** Returns ids in the order of the list. */
export async function peripheralIds(
  tx: Tx,
  accountId: string,
  now: Date,
  filter: PeripheralFilter,
  limit: number,
): Promise<string[]> {
  return (await find(tx, accountId, now, filter)).slice(0, limit).map(({ id }) => id);
}

/** Keeps the order; omits deleted ones. */
export async function peripheralsById(
  tx: Tx,
  accountId: string,
  now: Date,
  ids: readonly string[],
): Promise<PeripheralRow[]> {
  if (ids.length === 0) return [];
  const rows = await peripheralTables(tx)
    .selectFrom('peripheral')
    .selectAll()
    .select(sql<string>`host(ip)`.as('ip'))
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .execute();
  const byId = new Map((await presented(tx, accountId, now, rows)).map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function listGroups(
  tx: Tx,
  accountId: string,
  gwid: string | undefined,
): Promise<DataOf<typeof contract.groupList>> {
  const here = gwid ? sql`and gwid = ${gwid}` : sql``;
  const { rows: list } = await sql<{ name: string; count: number }>`
    select "group" as name, count(*)::integer as count from peripheral
    where account_id = ${accountId} and "group" is not null ${here} group by 1 order by 1`.execute(tx);
  return { list, total: list.length };
}

export async function listOutages(
  tx: Tx,
  accountId: string,
  { id, page = 1, limit = 10 }: InputOf<typeof contract.outages>,
): Promise<DataOf<typeof contract.outages>> {
  const outages = sql`
    select began_at, ended_at from peripheral_outage where account_id = ${accountId} and peripheral_id = ${id}`;
  const { rows, total } = await readPage<{ began_at: Date; ended_at: Date | null }>(tx, outages, sql`began_at desc`, {
    page,
    limit,
  });
  return {
    list: rows.map((row) => ({
      began_at: row.began_at.toISOString(),
      ended_at: row.ended_at?.toISOString() ?? null,
    })),
    total,
  };
}
