import type { DataOf, fleetBatch } from '@yunxun/contract';
import type { Tx } from '../../../platform/database/index.ts';
import { rankOfRow } from '../lists/list-query.ts';
import { statusOfRank } from '../status.ts';
import { fleet } from '../tables.ts';

type Successor = DataOf<typeof fleetBatch.apSuccessors>['list'][number];

const max = 50;

/** Returns devices of the kind that are unassigned or alone in a network. */
export async function replacementsOf(tx: Tx, accountId: string, serial: string, now: Date): Promise<Successor[]> {
  const rows = await fleet(tx)
    .selectFrom('device')
    .leftJoin('network', (join) =>
      join.onRef('network.account_id', '=', 'device.account_id').onRef('network.gwid', '=', 'device.gwid'),
    )
    .select([
      'device.serial',
      'device.remark',
      'device.model',
      'device.gwid',
      'device.bound_at',
      'network.remark as network',
    ])
    .select((select) => [select.ref('device.capabilities').as('capabilities'), rankOfRow('device', now).as('rank')])
    .where('device.account_id', '=', accountId)
    .where('device.serial', '<>', serial)
    .where('device.kind', '=', ({ selectFrom }) =>
      selectFrom('device as old')
        .select('old.kind')
        .where('old.account_id', '=', accountId)
        .where('old.serial', '=', serial),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('device as other')
            .select('other.serial')
            .whereRef('other.account_id', '=', 'device.account_id')
            .whereRef('other.gwid', '=', 'device.gwid')
            .whereRef('other.serial', '<>', 'device.serial'),
        ),
      ),
    )
    .orderBy('device.bound_at', 'desc')
    .orderBy('device.serial')
    .limit(max)
    .execute();
  return rows.map(({ capabilities, rank, bound_at, ...row }) => ({
    ...row,
    status: statusOfRank(rank),
    ports: Object.keys((capabilities as { network?: object } | null)?.network ?? {}).toSorted(wansFirst),
    bound_at: bound_at.toISOString(),
  }));
}

/** Sorts WAN1, WAN2, LAN1 … LAN10. */
function wansFirst(a: string, b: string): number {
  return Number(b.startsWith('WAN')) - Number(a.startsWith('WAN')) || a.localeCompare(b, 'en', { numeric: true });
}
