import type { Tx } from '../../platform/database/index.ts';
import { fleet } from './tables.ts';

export async function gatewayOf(tx: Tx, accountId: string, gwid: string): Promise<string | null> {
  const row = await fleet(tx)
    .selectFrom('network')
    .select('gateway_serial')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirst();
  return row?.gateway_serial ?? null;
}
