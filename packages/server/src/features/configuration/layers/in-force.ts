import type { fleet as contract, DataOf } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { noOverride } from '../compile/index.ts';
import { readOverrides } from '../intent-store.ts';
import { configurationTables } from '../tables.ts';
import { mergeLayers } from './merge-layers.ts';
import { readLayersOf } from './reader.ts';
import { findLayer, type PlacedDevice, readAssignments } from './template-store.ts';

type InForce = NonNullable<DataOf<typeof contract.apList>['list'][number]['settings']>;
export type InForceOf = (tx: Tx, accountId: string, devices: readonly PlacedDevice[]) => Promise<Map<string, InForce>>;

export function createInForce({ keys }: { keys: AccountKeys }): InForceOf {
  return async function inForceOf(tx, accountId, devices) {
    if (devices.length === 0) return new Map();
    const layersOf = await readLayersOf(tx, keys, accountId, devices);
    const assignmentsOf = await readAssignments(tx, accountId, devices);
    const overrides = await readOverrides(
      tx,
      accountId,
      devices.map(({ serial }) => serial),
    );
    const assignments = devices.flatMap((device) => Object.values(assignmentsOf(device)));
    const names = await layerNames(tx, accountId, [...new Set(assignments.map(({ layerId }) => layerId))]);
    return new Map(
      devices.map((device) => {
        const { network, override, general } = mergeLayers(
          layersOf(device),
          overrides.get(device.serial) ?? noOverride,
        );
        const own = assignmentsOf(device);
        const sent = network.ssids.filter(({ id, enabled }) => enabled && !override.ssids_off.includes(id));
        const inForce: InForce = {
          // 0 means "no minimum"
          minimum_rssi: general.minimum_rssi || null,
          client_limits: sent.flatMap(({ name, maximum_clients: limit }) =>
            limit === null ? [] : [{ ssid: name, limit }],
          ),
          templates: (['ac', 'wireless'] as const).flatMap((kind) => {
            const assignment = own[kind];
            return assignment
              ? [
                  {
                    kind,
                    id: assignment.layerId,
                    name: names.get(assignment.layerId) ?? '',
                    version: assignment.version,
                  },
                ]
              : [];
          }),
        };
        return [device.serial, inForce];
      }),
    );
  };
}

async function layerNames(tx: Tx, accountId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await configurationTables(tx)
    .selectFrom('config_layer')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Returns a condition on alias `d` (serial, gwid, group_id), like `readAssignments`. Uncorrelated sets, for accounts
 * with thousands of devices.
 */
export async function runsTemplate(tx: Tx, accountId: string, id: string): Promise<RawBuilder<boolean>> {
  const layer = await findLayer(tx, accountId, id);
  if (!layer || layer.kind === 'group') return sql<boolean>`false`;
  const given = (which: RawBuilder<unknown>) => {
    const rows = (scope: string, columns: string) =>
      sql`(select ${sql.raw(columns)} from device_layer where account_id = ${accountId} and scope = ${scope} and ${which})`;
    return sql`(d.serial in ${rows('device', 'serial')} or coalesce((d.serial, d.group_id) in ${rows('group', 'serial, ref')}, false)
      or coalesce((d.serial, d.gwid) in ${rows('network', 'serial, ref')}, false))`;
  };
  const scopeAssignments = (scope: 'group' | 'network', which: RawBuilder<unknown>) =>
    sql`coalesce(${sql.ref(scope === 'group' ? 'd.group_id' : 'd.gwid')} in
      (select ref from standing_layer where account_id = ${accountId} and scope = ${scope} and ${which}), false)`;
  const [its, ofKind] = [sql`layer_id = ${id}`, sql`kind = ${layer.kind}`];
  return sql<boolean>`(${given(its)} or (not ${given(ofKind)} and (${scopeAssignments('group', its)}
    or (not ${scopeAssignments('group', ofKind)} and ${scopeAssignments('network', its)}))))`;
}
