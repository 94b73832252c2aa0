import type { fleet as contract, DataOf, DeviceKind, InputOf } from '@yunxun/contract';
import { macOfSerial } from '@yunxun/contract/device';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { all, orderBy, type Page, pageOf } from '../../../platform/database/paging.ts';
import { containing, hasTag, macContaining } from '../../../platform/search/index.ts';
import { troubledDevices } from '../../../telemetry/read/air.ts';
import { closedHours } from '../../../telemetry/read/index.ts';
import {
  joinLatest,
  type LatestColumns,
  latestColumns,
  latestNumbers,
  latestTerminals,
} from '../../../telemetry/read.ts';
import type { DeviceRecord } from '../device-store.ts';
import { rankOf, sinceOf, statusOfRank } from '../status.ts';
import { sortableRates } from './ap-rows.ts';
import { joinNumbers, rankOfRow } from './list-query.ts';

type DeviceRow = DataOf<typeof contract.apUpdate>;
type DeviceFacts = DeviceRecord &
  LatestColumns & {
    rank: number;
    gateway_serial: string | null;
    network_name: string | null;
    group_name: string | null;
  };

interface Sort {
  by: RawBuilder<unknown>;
  nullable: boolean;
  /** Joins the latest report only then. */
  reported?: true;
  /** Rates of the last five minutes. */
  rate?: true;
}

const sorts = {
  remark: { by: sql`d.remark`, nullable: false },
  status: { by: sql`d.rank`, nullable: false },
  model: { by: sql`d.model`, nullable: true },
  version: { by: sql`d.firmware`, nullable: true },
  last_seen: { by: sql`d.last_seen`, nullable: true },
  bind_time: { by: sql`d.bound_at`, nullable: false },
  online_user: { by: latestTerminals, nullable: true, reported: true },
  cpu: { by: latestNumbers.cpu, nullable: true, reported: true },
  memory: { by: latestNumbers.memory, nullable: true, reported: true },
  connections: { by: latestNumbers.connections, nullable: true, reported: true },
  running_time: {
    by: sql`case when d.rank = 1 then ${latestNumbers.running_time} end`,
    nullable: true,
    reported: true,
  },
  sanity: { by: latestNumbers.sanity, nullable: true, reported: true },
  rate: { by: sql`given.number`, nullable: true, rate: true },
} as const satisfies Record<string, Sort>;

/**
 * Defaults to access points; of one network or all.
 * @param more conditions of other features on `d`
 */
export async function listDevices(
  tx: Tx,
  accountId: string,
  now: Date,
  query: InputOf<typeof contract.apList>,
  more: readonly RawBuilder<unknown>[],
): Promise<{ list: DeviceRow[]; total: number }> {
  const terms = [...more, ...(await conditions(tx, accountId, now, query))];
  const { serials, total } = await pageOfSerials(
    tx,
    accountId,
    now,
    terms,
    sorts[query.sort ?? 'remark'],
    pageOf(query),
  );
  return { list: (await deviceFacts(tx, accountId, now, serials)).map(presentDevice), total };
}

export type DeviceQuery = Pick<
  InputOf<typeof contract.apList>,
  'keyword' | 'gwid' | 'kind' | 'status' | 'sync_state' | 'model' | 'version' | 'tag' | 'group_id' | 'air' | 'radio'
>;

const bandCounts = { single: 1, dual: 2, triple: 3 } as const;

async function conditions(tx: Tx, accountId: string, now: Date, query: DeviceQuery): Promise<RawBuilder<unknown>[]> {
  const terms = [isOfKind(query.kind ?? 'ap'), ...common(query)];
  terms.push(query.gwid ? sql`d.gwid = ${query.gwid}` : sql`d.gwid is not null`);
  if (query.sync_state) terms.push(sql`d.sync_state = ${query.sync_state}`);
  if (query.model) terms.push(sql`d.model = ${query.model}`);
  if (query.version) terms.push(sql`d.firmware = ${query.version}`);
  if (query.group_id) terms.push(sql`d.group_id = ${query.group_id}`);
  else if (query.group_id === null) terms.push(sql`d.group_id is null`);
  if (query.radio) terms.push(sql`cardinality(d.bands) = ${bandCounts[query.radio]}`);
  if (query.air) {
    const asked = { gwids: query.gwid ? [query.gwid] : null, trouble: query.air, ...(await closedHours(tx, 1, now)) };
    terms.push(sql`d.serial = any(${await troubledDevices(tx, accountId, asked)}::text[])`);
  }
  if (query.tag)
    // computed once, not per device
    terms.push(sql`(${hasTag('d.tags', query.tag)} or d.gwid in (select n.gwid from network n
      where n.account_id = ${accountId} and ${hasTag('n.tags', query.tag)}))`);
  return terms;
}

export async function deviceResults(
  tx: Tx,
  accountId: string,
  now: Date,
  query: DeviceQuery,
  max: number,
  more: readonly RawBuilder<unknown>[],
): Promise<string[]> {
  const where = all([...more, ...(await conditions(tx, accountId, now, query))]);
  const { rows } = await sql<{ serial: string }>`
    select d.serial from (select d.*, ${rankOfRow('d', now)} as rank from device d where d.account_id = ${accountId}) d
    where ${where} order by d.remark, d.serial limit ${max}
  `.execute(tx);
  return rows.map(({ serial }) => serial);
}

/** Counts models and versions, most frequent first. */
export async function deviceFacets(
  tx: Tx,
  accountId: string,
  { kind, gwid }: { kind?: DeviceKind | undefined; gwid?: string | undefined },
): Promise<{ models: string[]; versions: string[] }> {
  const values = async (column: 'model' | 'firmware') => {
    const { rows } = await sql<{ value: string }>`
      select d.${sql.ref(column)} as value from device d
      where d.account_id = ${accountId} and d.gwid is not null and d.${sql.ref(column)} is not null
        ${kind ? sql`and ${isOfKind(kind)}` : sql``} ${gwid ? sql`and d.gwid = ${gwid}` : sql``}
      group by 1 order by count(*) desc, 1 limit 100
    `.execute(tx);
    return rows.map(({ value }) => value);
  };
  return { models: await values('model'), versions: await values('firmware') };
}

/** Matches a kind; a routing access point has two. */
function isOfKind(kind: DeviceKind): RawBuilder<unknown> {
  if (kind !== 'gateway') return sql`d.kind = ${kind}`;
  return sql`(d.kind = 'gateway' or exists (select 1 from network n
    where n.account_id = d.account_id and n.gwid = d.gwid and n.gateway_serial = d.serial))`;
}

export async function listWaiting(
  tx: Tx,
  accountId: string,
  now: Date,
  query: InputOf<typeof contract.waitingList>,
): Promise<{ list: DeviceRow[]; total: number }> {
  const terms = [sql`(d.gwid is null or not d.confirmed)`, ...common(query)];
  if (query.kind) terms.push(sql`d.kind = ${query.kind}`);
  const page = { ...pageOf(query), descending: (query.order ?? 'desc') === 'desc' };
  const { serials, total } = await pageOfSerials(tx, accountId, now, terms, sorts[query.sort ?? 'bind_time'], page);
  return { list: (await deviceFacts(tx, accountId, now, serials)).map(presentDevice), total };
}

function common(query: {
  status?: Parameters<typeof rankOf>[0] | undefined;
  keyword?: string | undefined;
}): RawBuilder<unknown>[] {
  const terms: RawBuilder<unknown>[] = [];
  if (query.status) terms.push(sql`d.rank = ${rankOf(query.status)}`);
  if (query.keyword) {
    const pattern = containing(query.keyword);
    const serial = macContaining(query.keyword);
    terms.push(sql`(d.remark ilike ${pattern} or d.model ilike ${pattern} or d.public_address ilike ${pattern}
      or d.firmware ilike ${pattern} ${serial ? sql`or d.serial like ${serial}` : sql``})`);
  }
  return terms;
}

async function pageOfSerials(
  tx: Tx,
  accountId: string,
  now: Date,
  terms: readonly RawBuilder<unknown>[],
  sort: Sort,
  page: Page,
): Promise<{ serials: string[]; total: number }> {
  const source = sql`(select d.*, ${rankOfRow('d', now)} as rank from device d where d.account_id = ${accountId}) d`;
  const rates = sort.rate ? joinNumbers(sql`d.serial`, await onlineRates(tx, accountId, now, terms)) : sql``;
  const { rows } = await sql<{ serial: string }>`
    select d.serial from ${source} ${sort.reported ? joinLatest('d') : sql``} ${rates} where ${all(terms)}
    ${orderBy(sort.by, page, sql`d.serial`, sort.nullable)} limit ${page.limit} offset ${page.offset}
  `.execute(tx);
  const counted = await sql<{ total: number }>`select count(*) as total from ${source} where ${all(terms)}`.execute(tx);
  return { serials: rows.map((row) => row.serial), total: counted.rows[0]?.total ?? 0 };
}

async function onlineRates(
  tx: Tx,
  accountId: string,
  now: Date,
  terms: readonly RawBuilder<unknown>[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ serial: string }>`
    select d.serial from (select d.*, ${rankOfRow('d', now)} as rank from device d where d.account_id = ${accountId}) d
    where d.rank = 1 and ${all(terms)}`.execute(tx);
  const serials = rows.map(({ serial }) => serial);
  return sortableRates(tx, accountId, now, serials, ['down', 'up']);
}

/** Keeps the order of serials; invisible devices are absent. */
async function deviceFacts(tx: Tx, accountId: string, now: Date, serials: readonly string[]): Promise<DeviceFacts[]> {
  if (serials.length === 0) return [];
  const { rows } = await sql<DeviceFacts>`
    select d.serial, d.gwid, d.wanted_gwid, d.confirmed, d.kind, d.remark, d.model, d.compatible, d.platform, d.firmware, d.public_address, d.bound_at,
      d.last_seen, d.online_since, d.offline_since, d.restarting_since, d.restart_reason, d.sync_state, d.sync_since, d.sync_reason, d.trial_until, d.group_id, d.tags, g.name as group_name,
      ${rankOfRow('d', now)} as rank, n.gateway_serial, n.remark as network_name, ${latestColumns}
    from device d ${joinLatest('d')}
    left join network n on n.account_id = d.account_id and n.gwid = d.gwid
    left join ap_group g on g.account_id = d.account_id and g.id = d.group_id
    where d.account_id = ${accountId} and d.serial = any(${[...serials]}::text[])
  `.execute(tx);
  const bySerial = new Map(rows.map((row) => [row.serial, row]));
  return serials.flatMap((serial) => bySerial.get(serial) ?? []);
}

/** Returns undefined if invisible. */
export async function deviceDetail(
  tx: Tx,
  accountId: string,
  now: Date,
  serial: string,
): Promise<
  (DeviceRow & { compatible: string | null; platform: string | null; restart_reason: string | null }) | undefined
> {
  const [row] = await deviceFacts(tx, accountId, now, [serial]);
  if (!row) return undefined;
  return {
    ...presentDevice(row),
    compatible: row.compatible,
    platform: row.platform,
    restart_reason: row.restart_reason,
  };
}

function presentDevice(row: DeviceFacts): DeviceRow {
  const status = statusOfRank(row.rank);
  return {
    serial: row.serial,
    mac: macOfSerial(row.serial),
    gwid: row.gwid,
    wanted_gwid: row.gwid === null ? row.wanted_gwid : null,
    confirmed: row.confirmed,
    network: row.network_name,
    remark: row.remark,
    kind: row.kind,
    is_gateway: row.gateway_serial === row.serial,
    tags: row.tags,
    group: row.group_id && row.group_name ? { id: row.group_id, name: row.group_name } : null,
    model: row.model,
    version: row.firmware,
    ip: row.public_address,
    status,
    status_since: sinceOf(row, status)?.toISOString() ?? null,
    last_seen: row.last_seen?.toISOString() ?? null,
    bind_time: row.bound_at.toISOString(),
    online_since: status === 'online' ? (row.online_since?.toISOString() ?? null) : null,
    sync_state: row.sync_state,
    sync_reason: row.sync_reason,
    trial_until: row.sync_state === 'applying' ? (row.trial_until?.toISOString() ?? null) : null,
    returned_at: row.sync_state === 'failed' && row.trial_until ? (row.sync_since?.toISOString() ?? null) : null,
    sanity: row.sanity,
    as_of: row.as_of?.toISOString() ?? null,
    running_time: row.running_time,
    cpu: row.cpu,
    mem_used: row.mem_used,
    mem_total: row.mem_total,
    online_user: row.online_user,
    connections: row.connections,
    connections_max: row.connections_max,
  };
}
