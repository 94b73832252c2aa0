import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { rankOfRow } from '../lists/list-query.ts';
import type { AccessPoint } from '../names.ts';
import { statusOfRank } from '../status.ts';
import { fleet } from '../tables.ts';

/** `blocks`: can block clients by MAC. */
export interface EdgeGateway extends AccessPoint {
  blocks: boolean;
}

export async function edgeGateways(tx: Tx, accountId: string, now: Date): Promise<EdgeGateway[]> {
  const rows = await fleet(tx)
    .selectFrom('device')
    .select(['serial', 'gwid', 'remark as name', 'model', 'sync_state as sync', rankOfRow('device', now).as('rank')])
    .select(sql<boolean>`coalesce((capabilities #>> '{yunxun,abilities,blocking}') = 'true', false)`.as('blocks'))
    .where('account_id', '=', accountId)
    .where('kind', '=', 'gateway')
    .where(sql<boolean>`capabilities ? 'yunxun'`)
    .orderBy('serial')
    .execute();
  return rows.map(({ rank, ...row }) => ({ ...row, status: statusOfRank(rank) }));
}
