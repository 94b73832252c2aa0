import type { DeviceKind, DeviceStatus, SyncState } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { devicesBySerial, networksById } from './device-store.ts';
import { rankOfRow } from './list-query.ts';
import { statusOfRank } from './status.ts';
import { fleet } from './tables.ts';

/** The names of networks of an account by their ids; those that are gone, or that the transaction may not see, are missing. */
export async function networkNames(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (gwids.length === 0) return new Map();
  const rows = await networksById(tx, accountId, [...new Set(gwids)]);
  return new Map(rows.map((row) => [row.gwid, row.remark]));
}

/** Devices of an account by their serials, with what a row about somebody else says of them. */
export async function deviceNames(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<ReadonlyMap<string, { name: string; kind: DeviceKind; gwid: string | null; model: string | null }>> {
  if (serials.length === 0) return new Map();
  const rows = await devicesBySerial(tx, accountId, [...new Set(serials)]);
  return new Map(rows.map(({ serial, remark, kind, gwid, model }) => [serial, { name: remark, kind, gwid, model }]));
}

/** An access point as those see it who work with many of them. */
export interface AccessPoint {
  serial: string;
  gwid: string | null;
  name: string;
  status: DeviceStatus;
  sync: SyncState | null;
}

/** The access points of an account, or of one network of it, by serial. */
export async function accessPoints(tx: Tx, accountId: string, now: Date, gwid?: string): Promise<AccessPoint[]> {
  const query = fleet(tx)
    .selectFrom('device')
    .select(['serial', 'gwid', 'remark as name', 'sync_state as sync', rankOfRow('device', now).as('rank')])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'ap');
  const rows = await (gwid ? query.where('gwid', '=', gwid) : query).orderBy('serial').execute();
  return rows.map(({ rank, ...row }) => ({ ...row, status: statusOfRank(rank) }));
}

/** How many access points each network has; one without any is missing. */
export async function accessPointCounts(tx: Tx, accountId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await fleet(tx)
    .selectFrom('device')
    .select((select) => ['gwid', select.fn.countAll<number>().as('aps')])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'ap')
    .where('gwid', 'is not', null)
    .groupBy('gwid')
    .execute();
  return new Map(rows.map(({ gwid, aps }) => [gwid!, Number(aps)]));
}
