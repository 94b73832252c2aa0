import type { firmware } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { firmwareTables } from './tables.ts';

/** A restart or an upgrade that no job of ours started. */
export interface OwnStart {
  at: Date;
  serial: string;
  name: string;
  action: firmware.UpgradeAction;
  operator: string | null;
}

/**
 * Returns restarts and upgrades by the device's own report, newest first, and their total.
 * @param limit maximum listed
 */
export async function ownStarts(
  tx: Tx,
  accountId: string,
  { gwid, from, limit }: { gwid: string; from: Date; limit: number },
): Promise<{ list: OwnStart[]; total: number }> {
  const rows = firmwareTables(tx)
    .selectFrom('upgrade_log')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('job_id', 'is', null)
    .where('at', '>=', from);
  const list = await rows
    .select(['at', 'serial', 'name', 'action', 'operator'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const { total } = await rows.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { list, total: Number(total) };
}
