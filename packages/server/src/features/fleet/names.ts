import type { DeviceKind, DeviceStatus, SyncState } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { devicesBySerial, networksById } from './device-store.ts';
import { rankOfRow } from './lists/list-query.ts';
import { statusOfRank } from './status.ts';
import { fleet } from './tables.ts';

export const networkNameOf = (accountId: string, gwid: string): RawBuilder<string | null> =>
  sql`(select remark from network where account_id = ${accountId} and gwid = ${sql.ref(gwid)})`;

export const deviceNameOf = (accountId: string, serial: string): RawBuilder<string | null> =>
  sql`(select nullif(remark, '') from device where account_id = ${accountId} and serial = ${sql.ref(serial)})`;

export async function networkNames(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (gwids.length === 0) return new Map();
  const rows = await networksById(tx, accountId, [...new Set(gwids)]);
  return new Map(rows.map((row) => [row.gwid, row.remark]));
}

export interface DeviceName {
  name: string;
  kind: DeviceKind;
  gwid: string | null;
  model: string | null;
  online: boolean;
  address: string | null;
}

export async function deviceNames(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<ReadonlyMap<string, DeviceName>> {
  if (serials.length === 0) return new Map();
  const rows = await devicesBySerial(tx, accountId, [...new Set(serials)]);
  return new Map(
    rows.map(({ serial, remark, kind, gwid, model, online, public_address: address }) => [
      serial,
      { name: remark, kind, gwid, model, online, address },
    ]),
  );
}

export interface AccessPoint {
  serial: string;
  gwid: string | null;
  name: string;
  model: string | null;
  status: DeviceStatus;
  sync: SyncState | null;
}

export async function accessPoints(tx: Tx, accountId: string, now: Date, gwid?: string): Promise<AccessPoint[]> {
  const query = pointRows(tx, accountId, now).where('kind', '=', 'ap');
  const rows = await (gwid ? query.where('gwid', '=', gwid) : query).orderBy('serial').execute();
  return rows.map(({ rank, ...row }) => ({ ...row, status: statusOfRank(rank) }));
}

/** Excludes access points. */
export async function networkGateways(tx: Tx, accountId: string, now: Date): Promise<AccessPoint[]> {
  const rows = await pointRows(tx, accountId, now).where('kind', '=', 'gateway').orderBy('serial').execute();
  return rows.map(({ rank, ...row }) => ({ ...row, status: statusOfRank(rank) }));
}

function pointRows(tx: Tx, accountId: string, now: Date) {
  return fleet(tx)
    .selectFrom('device')
    .select(['serial', 'gwid', 'remark as name', 'model', 'sync_state as sync', rankOfRow('device', now).as('rank')])
    .where('account_id', '=', accountId);
}

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
