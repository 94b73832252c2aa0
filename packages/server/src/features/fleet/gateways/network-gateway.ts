import type { Tx } from '../../../platform/database/index.ts';
import { fleet } from '../tables.ts';

export async function gatewayOf(tx: Tx, accountId: string, gwid: string): Promise<string | null> {
  const row = await fleet(tx)
    .selectFrom('network')
    .select('gateway_serial')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirst();
  return row?.gateway_serial ?? null;
}

export async function gatewaySerials(tx: Tx, accountId: string): Promise<{ gwid: string; serial: string }[]> {
  const rows = await fleet(tx)
    .selectFrom('network')
    .select(['gwid', 'gateway_serial'])
    .where('account_id', '=', accountId)
    .execute();
  return rows.flatMap(({ gwid, gateway_serial: serial }) => (serial === null ? [] : [{ gwid, serial }]));
}
