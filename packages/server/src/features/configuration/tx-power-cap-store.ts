import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { Band, TxPowerCaps } from './compile/intent.ts';
import { configurationTables } from './tables.ts';
import type { DeviceKey } from './version-store.ts';

export async function readTxPowerCaps(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<Map<string, TxPowerCaps>> {
  const reaches = new Map<string, TxPowerCaps>();
  if (serials.length === 0) return reaches;
  const rows = await configurationTables(tx)
    .selectFrom('radio_reach')
    .select(['serial', 'band', 'dbm'])
    .where('account_id', '=', accountId)
    .where('serial', 'in', [...serials])
    .execute();
  for (const { serial, band, dbm } of rows) reaches.set(serial, { ...reaches.get(serial), [band as Band]: dbm });
  return reaches;
}

/** Keeps the maximum: some channels allow less. */
export async function raiseTxPowerCaps(tx: Tx, { accountId, serial }: DeviceKey, caps: TxPowerCaps): Promise<void> {
  const rows = Object.entries(caps).map(([band, dbm]) => ({ account_id: accountId, serial, band, dbm }));
  if (rows.length === 0) return;
  await configurationTables(tx)
    .insertInto('radio_reach')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'serial', 'band'])
        .doUpdateSet({ dbm: sql`greatest(radio_reach.dbm, excluded.dbm)` }),
    )
    .execute();
}
