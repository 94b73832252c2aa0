import type { DeviceKind, DeviceStatus } from '@yunxun/contract';
import type { Tx } from '../../../platform/database/index.ts';
import { grouped } from '../../../platform/grouped.ts';
import { nameKey } from '../../../platform/search/index.ts';
import { rankOfRow } from '../lists/list-query.ts';
import { statusOfRank } from '../status.ts';
import { fleet } from '../tables.ts';

export interface SeenDevice {
  serial: string;
  name: string;
  kind: DeviceKind;
  model: string | null;
  tags: string[];
  status: DeviceStatus;
  first_seen: Date | null;
  last_seen: Date | null;
}

export async function devicesSeenIn(tx: Tx, accountId: string, gwid: string, now: Date): Promise<SeenDevice[]> {
  const rows = await fleet(tx)
    .selectFrom('device')
    .select(['serial', 'remark as name', 'kind', 'model', 'tags', 'first_seen', 'last_seen'])
    .select(rankOfRow('device', now).as('rank'))
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .orderBy('serial')
    .execute();
  return rows.map(({ rank, ...row }) => ({ ...row, status: statusOfRank(rank) }));
}

export async function devicesToPlace(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<ReadonlyMap<string, { name: string; gwid: string | null; tags: string[]; isGateway: boolean }>> {
  if (serials.length === 0) return new Map();
  const gateways = new Set(await gatewaysAmong(tx, accountId, serials));
  const rows = await fleet(tx)
    .selectFrom('device')
    .select(['serial', 'remark as name', 'gwid', 'tags'])
    .where('account_id', '=', accountId)
    .where('serial', 'in', [...serials])
    .execute();
  return new Map(rows.map(({ serial, ...row }) => [serial, { ...row, isGateway: gateways.has(serial) }]));
}

export async function gatewaysAmong(tx: Tx, accountId: string, serials: readonly string[]): Promise<string[]> {
  const rows = await fleet(tx)
    .selectFrom('network')
    .select('gateway_serial')
    .where('account_id', '=', accountId)
    .where('gateway_serial', 'in', [...serials])
    .execute();
  return rows.flatMap(({ gateway_serial: serial }) => serial ?? []);
}

/** Finds networks by `nameKey`; several make a name ambiguous. */
export async function networksNamed(
  tx: Tx,
  accountId: string,
  names: readonly string[],
): Promise<(name: string) => readonly string[]> {
  if (names.every((name) => nameKey(name) === '')) return () => [];
  const rows = await fleet(tx)
    .selectFrom('network')
    .select(['gwid', 'remark'])
    .where('account_id', '=', accountId)
    .orderBy('gwid')
    .execute();
  const found = grouped(rows, ({ remark }) => nameKey(remark));
  return (name) => (found.get(nameKey(name)) ?? []).map(({ gwid }) => gwid);
}
