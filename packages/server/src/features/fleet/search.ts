import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { FoundEntry, SearchWord, TextRange } from '../../platform/search/index.ts';
import type { Hit, SearchRequest, SearchSource } from '../search/index.ts';
import { rankOfRow } from './lists/list-query.ts';
import { networkRows } from './lists/network-list.ts';
import { statusOfRank } from './status.ts';
import { fleet } from './tables.ts';

export const fleetSearch = {
  network: { permission: 'network.read', find: searchNetworks },
  device: { permission: 'network.read', find: searchDevices },
} satisfies Record<string, SearchSource>;

async function searchNetworks({ tx, accountId, entries, limit, now }: SearchRequest): Promise<Hit[]> {
  const found = entries.network.slice(0, limit);
  const rows = await networkRows(
    tx,
    accountId,
    now,
    found.map(({ id }) => id),
  );
  const matchById = new Map(found.map(({ id, match }) => [id, match]));
  return rows.map(({ gwid, remark, status, wan_ip }) => ({
    kind: 'network' as const,
    id: gwid,
    title: remark,
    detail: wan_ip,
    type: null,
    gwid,
    network: remark,
    status,
    match: matchById.get(gwid) ?? 'part',
  }));
}

/** Finds by name, MAC, model or public address, and the network of an address. */
async function searchDevices({ tx, accountId, word, entries, limit, now }: SearchRequest): Promise<Hit[]> {
  const matchBySerial = new Map(
    entries.device.slice(0, limit).map(({ id, match }): [string, FoundEntry['match']] => [id, match]),
  );
  for (const serial of await devicesAt(tx, accountId, word, limit)) {
    if (matchBySerial.size < limit && !matchBySerial.has(serial)) matchBySerial.set(serial, 'start');
  }
  if (matchBySerial.size === 0) return [];
  const rows = await fleet(tx)
    .selectFrom('device')
    .leftJoin('network', (join) =>
      join.onRef('network.account_id', '=', 'device.account_id').onRef('network.gwid', '=', 'device.gwid'),
    )
    .select(['device.serial', 'device.remark', 'device.model', 'device.kind', 'device.gwid'])
    .select(['network.remark as network', rankOfRow('device', now).as('rank')])
    .where('device.account_id', '=', accountId)
    .where('device.serial', 'in', [...matchBySerial.keys()])
    .execute();
  const bySerial = new Map(rows.map((row) => [row.serial, row]));
  return [...matchBySerial].flatMap(([serial, match]): Hit[] => {
    const row = bySerial.get(serial);
    if (!row) return [];
    const { remark: title, model: detail, kind: type, gwid, network, rank } = row;
    return [{ kind: 'device', id: serial, title, detail, type, gwid, network, status: statusOfRank(rank), match }];
  });
}

/** Finds devices by IPv4 network, or the beginning of an address. */
async function devicesAt(tx: Tx, accountId: string, { addresses }: SearchWord, limit: number): Promise<string[]> {
  if (!addresses) return [];
  const low = addresses.map(({ from }: TextRange) => from);
  const high = addresses.map(({ before }) => before);
  const { rows } = await sql<{ serial: string }>`
    select d.serial from unnest(${low}::text[], ${high}::text[]) r (low, high) cross join lateral (
      select d.serial from device d where d.account_id = ${accountId}
        and d.public_address collate "C" >= r.low and d.public_address collate "C" < r.high limit ${limit}) d
    limit ${limit}`.execute(tx);
  return rows.map(({ serial }) => serial);
}
