import type { Tx } from '../../platform/database/index.ts';
import type { GatewayIntent } from './compile/index.ts';
import type { Saved } from './intent-store.ts';
import { configurationTables, type GatewayIntentTable } from './tables.ts';

/** Returns null if never saved. `lock`: until the end of the transaction. */
export async function readGateway(
  tx: Tx,
  accountId: string,
  gwid: string,
  lock = false,
): Promise<Saved<GatewayIntent | null>> {
  const query = configurationTables(tx)
    .selectFrom('gateway_intent')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row ? savedGateway(row) : { version: 0, value: null, updatedAt: null, updatedBy: null };
}

function savedGateway({ version, intent, updated_at, updated_by }: GatewayIntentTable): Saved<GatewayIntent> {
  return { version, value: intent as GatewayIntent, updatedAt: updated_at, updatedBy: updated_by };
}

export async function readGateways(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
): Promise<Map<string, Saved<GatewayIntent>>> {
  if (gwids.length === 0) return new Map();
  const rows = await configurationTables(tx)
    .selectFrom('gateway_intent')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...gwids])
    .execute();
  return new Map(rows.map((row) => [row.gwid, savedGateway(row)]));
}

/** Returns false unless `over` is the current version. */
export async function writeGateway(
  tx: Tx,
  saved: { accountId: string; gwid: string; over: number; intent: GatewayIntent; at: Date; by: string },
): Promise<boolean> {
  const { accountId, gwid, over, intent, at, by } = saved;
  const values = { version: over + 1, intent: JSON.stringify(intent), updated_at: at, updated_by: by };
  const result = await configurationTables(tx)
    .insertInto('gateway_intent')
    .values({ account_id: accountId, gwid, ...values })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'gwid']).doUpdateSet(values).where('gateway_intent.version', '=', over),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function gatewayNetworks(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await configurationTables(tx)
    .selectFrom('gateway_intent')
    .select('gwid')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(({ gwid }) => gwid);
}
