import type { Tx } from '../../platform/database/index.ts';
import { firmwareTables } from './tables.ts';

export interface PastUpgrade {
  serial: string;
  at: Date;
  failed: boolean;
}

export async function pastUpgrades(
  tx: Tx,
  accountId: string,
  { from, limit }: { from: Date; limit: number },
): Promise<PastUpgrade[]> {
  const rows = await firmwareTables(tx)
    .selectFrom('upgrade_log')
    .select(['serial', 'at', 'result'])
    .where('account_id', '=', accountId)
    .where('action', '=', 'upgrade')
    .where('at', '>=', from)
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ serial, at, result }) => ({ serial, at, failed: result === 'failed' }));
}
