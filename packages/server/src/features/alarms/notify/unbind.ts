import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { UnbindParticipant } from '../../fleet/index.ts';
import { record } from '../../logs/index.ts';
import { notifyTables } from './tables.ts';

/** Removes the addresses of subscriptions that only the unbound network has, and switches these off. */
export const addressesOfUnbound: UnbindParticipant = {
  part: 'open_platform',
  async remove(tx, { acting, accountId, gwid }) {
    if (!gwid) return 0;
    const narrowed = await notifyTables(tx)
      .updateTable('alarm_subscription')
      .set({ enabled: false })
      .where('account_id', '=', accountId)
      .where('scope', '=', 'networks')
      .where(sql<boolean>`scope_ids = array[${gwid}::uuid]`)
      .returning(['id', 'name'])
      .execute();
    let removed = 0;
    for (const { id, name } of narrowed) {
      const gone = await notifyTables(tx)
        .deleteFrom('alarm_endpoint')
        .where('account_id', '=', accountId)
        .where('subscription_id', '=', id)
        .returning('type')
        .execute();
      removed += gone.length;
      await record(tx, acting, {
        action: 'alarm.subscription_save',
        object: { type: 'alarm_subscription', id, name },
        gwid,
        before: { scope: [gwid], endpoints: gone.map(({ type }) => type) },
        after: { enabled: false, scope: [], endpoints: [] },
      });
    }
    return removed;
  },
};

/** @returns the number of subscriptions that named it */
export async function forgetNetworkOfSubscriptions(tx: Tx, accountId: string, gwid: string): Promise<number> {
  const changed = await notifyTables(tx)
    .updateTable('alarm_subscription')
    .set({ scope_ids: sql<string[]>`array_remove(scope_ids, ${gwid}::uuid)` })
    .where('account_id', '=', accountId)
    .where('scope', '=', 'networks')
    .where(sql<boolean>`${gwid}::uuid = any(scope_ids)`)
    .returning('id')
    .execute();
  return changed.length;
}
