import type { fleet as contract, DataOf, InputOf } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { all, orderBy, pageOf } from '../../../platform/database/paging.ts';
import { containing, hasTag, macContaining, namesUuid } from '../../../platform/search/index.ts';
import { joinLatest, type LatestColumns, latestColumns, latestNumbers } from '../../../telemetry/read.ts';
import { delegations } from '../../identity/index.ts';
import { rankOf, sinceOf, statusOfRank } from '../status.ts';
import { meanRates, sortableRates } from './ap-rows.ts';
import type { ListFacts } from './list-facts.ts';
import { joinNumbers } from './list-query.ts';
import { hasDevice, type NetworkFacts, networkFacts, syncOrder } from './network-facts.ts';

type NetworkRow = DataOf<typeof contract.networkUpdate>;
type NetworkListed = DataOf<typeof contract.networkList>['list'][number];
type Query = Omit<InputOf<typeof contract.networkList>, 'backup' | 'firmware'>;
export type NetworkQuery = Pick<
  Query,
  'keyword' | 'status' | 'sync_state' | 'model' | 'version' | 'tag' | 'gwids' | 'hosting'
>;

interface Sort {
  by: RawBuilder<unknown>;
  own: boolean;
  /** Latest report of the gateway or only device. */
  reported?: true;
  /** Rates of the last five minutes. */
  rate?: true;
}

/** The first two are indexed. */
const sorts = {
  remark: { by: sql`n.remark`, own: true },
  bind_time: { by: sql`n.created_at`, own: true },
  status: { by: sql`n.rank`, own: false },
  model: { by: sql`n.model`, own: false },
  version: { by: sql`n.firmware`, own: false },
  last_seen: { by: sql`n.last_seen`, own: false },
  online_user: { by: sql`n.users`, own: false },
  ap_online_num: { by: sql`n.ap_online_num`, own: false },
  device_num: { by: sql`n.device_num`, own: false },
  cpu: { by: latestNumbers.cpu, own: false, reported: true },
  memory: { by: latestNumbers.memory, own: false, reported: true },
  connections: { by: latestNumbers.connections, own: false, reported: true },
  running_time: { by: sql`case when n.rank = 1 then ${latestNumbers.running_time} end`, own: false, reported: true },
  rate: { by: sql`given.number`, own: false, rate: true },
} as const satisfies Record<string, Sort>;

/** @param more conditions of other features on `n` */
export async function listNetworks(
  tx: Tx,
  accountId: string,
  now: Date,
  query: Query,
  more: readonly RawBuilder<unknown>[] = [],
): Promise<{ list: NetworkRow[]; total: number }> {
  const page = pageOf(query);
  const sort: Sort = sorts[query.sort ?? 'remark'];
  const source = sourceOf(accountId, now, query, sort.own);
  const where = all([...more, ...(await conditions(tx, accountId, query))]);
  const { rows } = await sql<{ gwid: string; total: number }>`
    select n.gwid, count(*) over () as total from ${source} n ${await joinOf(tx, accountId, now, sort)} where ${where}
    ${orderBy(sort.by, page, sql`n.gwid`, !sort.own)} limit ${page.limit} offset ${page.offset}
  `.execute(tx);
  // a page past the end has no total
  const total = rows[0]?.total ?? (page.offset > 0 ? await count(tx, source, where) : 0);
  const gwids = rows.map((row) => row.gwid);
  return { list: await networkRows(tx, accountId, now, gwids), total };
}

async function joinOf(tx: Tx, accountId: string, now: Date, sort: Sort): Promise<RawBuilder<unknown>> {
  if (sort.rate) {
    const { rows } = await sql<{ serial: string }>`
      select n.face as serial from (${networkFacts(accountId, now)}) n
      where n.gateway_serial is not null and n.rank = 1`.execute(tx);
    const serials = rows.map(({ serial }) => serial);
    return joinNumbers(sql`n.face`, await sortableRates(tx, accountId, now, serials, ['wanDown', 'wanUp']));
  }
  if (!sort.reported) return sql``;
  return sql`left join device face on face.account_id = ${accountId} and face.serial = n.face ${joinLatest('face')}`;
}

/** Aggregates only for such sorts and filters. */
function sourceOf(accountId: string, now: Date, query: NetworkQuery, ownSort: boolean): RawBuilder<unknown> {
  const summed =
    !ownSort || query.status !== undefined || query.sync_state !== undefined || query.version !== undefined;
  return summed ? sql`(${networkFacts(accountId, now)})` : sql`(select * from network where account_id = ${accountId})`;
}

export async function networkResults(
  tx: Tx,
  accountId: string,
  now: Date,
  query: NetworkQuery,
  max: number,
  more: readonly RawBuilder<unknown>[] = [],
): Promise<string[]> {
  const where = all([...more, ...(await conditions(tx, accountId, query))]);
  const { rows } = await sql<{ gwid: string }>`
    select n.gwid from ${sourceOf(accountId, now, query, true)} n where ${where}
    order by n.remark, n.gwid limit ${max}
  `.execute(tx);
  return rows.map(({ gwid }) => gwid);
}

async function count(tx: Tx, source: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${source} n where ${where}`.execute(tx);
  return rows[0]?.total ?? 0;
}

async function conditions(tx: Tx, accountId: string, query: NetworkQuery): Promise<RawBuilder<unknown>[]> {
  const terms: RawBuilder<unknown>[] = [];
  if (query.status) terms.push(sql`n.rank = ${rankOf(query.status)}`);
  if (query.sync_state) terms.push(sql`n.sync_rank = ${syncOrder.indexOf(query.sync_state) + 1}`);
  if (query.gwids) terms.push(sql`n.gwid = any(${query.gwids}::uuid[])`);
  if (query.version) terms.push(sql`n.firmware = ${query.version}`);
  if (query.tag) terms.push(hasTag('n.tags', query.tag));
  if (query.model) terms.push(hasDevice(accountId, sql`d.model = ${query.model}`));
  if (query.keyword) terms.push(says(accountId, query.keyword));
  if (query.hosting) {
    const { all: every, gwids } = await delegations.hostedNetworks(tx, accountId);
    const hosted = every ? sql`true` : sql`n.gwid = any(${[...gwids]}::uuid[])`;
    terms.push(query.hosting === 'hosted' ? hosted : sql`not ${hosted}`);
  }
  return terms;
}

function says(accountId: string, word: string): RawBuilder<unknown> {
  const pattern = containing(word);
  const serial = macContaining(word);
  // one comparison instead of three: typed input has no line break
  const ofDevice = sql`coalesce(d.model, '') || E'\n' || coalesce(d.public_address, '') || E'\n' || d.remark ilike ${pattern}
    ${serial ? sql`or d.serial like ${serial}` : sql``}`;
  const byId = namesUuid(word) ? sql`or n.gwid::text ilike ${pattern}` : sql``;
  return sql`(n.remark ilike ${pattern} ${byId} or ${hasDevice(accountId, ofDevice)})`;
}

export function networksMatching(accountId: string, word: string): RawBuilder<string> {
  return sql<string>`(select n.gwid from network n where n.account_id = ${accountId} and ${says(accountId, word)})`;
}

export async function withOthers(
  facts: Pick<ListFacts, 'lastBackups' | 'newerFirmware'>,
  tx: Tx,
  accountId: string,
  now: Date,
  rows: readonly NetworkRow[],
): Promise<NetworkListed[]> {
  const gateways = rows.flatMap((row) => (row.has_gateway && row.status === 'online' && row.sn ? [row.sn] : []));
  const rates = await meanRates(tx, accountId, now, gateways, ['wanDown', 'wanUp']);
  const backups = await facts.lastBackups(tx, accountId, { gwids: rows.map(({ gwid }) => gwid) });
  const { all: every, gwids } = await delegations.hostedNetworks(tx, accountId);
  const faces = rows.flatMap(({ sn }) => sn ?? []);
  const newer = await facts.newerFirmware(tx, accountId, faces);
  return rows.map((row) => ({
    ...row,
    newer_version: (row.sn && newer.get(row.sn)) || null,
    hosted: every || gwids.has(row.gwid),
    last_backup_at: backups.get(row.gwid)?.toISOString() ?? null,
    ...((row.sn && rates.get(row.sn)) || { down_bps: null, up_bps: null }),
  }));
}

export async function networkRows(
  tx: Tx,
  accountId: string,
  now: Date,
  gwids: readonly string[],
): Promise<NetworkRow[]> {
  if (gwids.length === 0) return [];
  const { rows } = await sql<NetworkFacts & LatestColumns>`
    select n.*, ${latestColumns} from (${networkFacts(accountId, now, gwids)}) n
    left join device face on face.account_id = ${accountId} and face.serial = n.face ${joinLatest('face')}
  `.execute(tx);
  const byId = new Map(rows.map((row) => [row.gwid, present(row)]));
  return gwids.flatMap((gwid) => byId.get(gwid) ?? []);
}

function present(row: NetworkFacts & LatestColumns): NetworkRow {
  const status = statusOfRank(row.rank);
  const sync = row.sync_rank === null ? null : (syncOrder[row.sync_rank - 1] ?? null);
  return {
    gwid: row.gwid,
    remark: row.remark,
    tags: row.tags,
    status,
    status_since: sinceOf(row, status)?.toISOString() ?? null,
    last_seen: row.last_seen?.toISOString() ?? null,
    sn: row.face,
    has_gateway: row.gateway_serial !== null,
    model: row.model,
    version: row.firmware,
    wan_ip: row.public_address,
    device_num: row.device_num,
    ap_num: row.ap_num,
    ap_online_num: row.ap_online_num,
    sync_state: sync,
    sync_reason: sync === 'failed' ? row.failed_reason : null,
    trial_until: sync === 'applying' ? (row.trial_until?.toISOString() ?? null) : null,
    returned_at: sync === 'failed' ? (row.returned_at?.toISOString() ?? null) : null,
    bind_time: row.created_at.toISOString(),
    as_of: (row.as_of ?? row.reported_at)?.toISOString() ?? null,
    running_time: row.running_time,
    cpu: row.cpu,
    mem_used: row.mem_used,
    mem_total: row.mem_total,
    online_user: row.users,
    connections: row.connections,
    connections_max: row.connections_max,
  };
}
