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
 * Returns what devices of a network restarted or upgraded by themselves since `from`, by their own word: the newest first,
 * and how many there are.
 * @param limit most rows that are listed
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
