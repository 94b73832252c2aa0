import type { Tx } from '../../platform/database/index.ts';
import { configurationTables } from './tables.ts';

/** Deny list kept until the device's rollout wave. */
export interface BlockHold {
  serial: string;
  blocked: readonly string[];
}

/** Keeps an existing hold: its list is older. */
export async function holdBlockList(tx: Tx, accountId: string, holds: readonly BlockHold[], at: Date): Promise<void> {
  if (holds.length === 0) return;
  await configurationTables(tx)
    .insertInto('block_hold')
    .values(holds.map(({ serial, blocked }) => ({ account_id: accountId, serial, blocked: [...blocked], held_at: at })))
    .onConflict((conflict) => conflict.columns(['account_id', 'serial']).doNothing())
    .execute();
}

export async function releaseHolds(tx: Tx, accountId: string, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  await configurationTables(tx)
    .deleteFrom('block_hold')
    .where('account_id', '=', accountId)
    .where('serial', 'in', [...serials])
    .execute();
}

export async function readHeldList(tx: Tx, accountId: string, serial: string): Promise<readonly string[] | null> {
  const row = await configurationTables(tx)
    .selectFrom('block_hold')
    .select('blocked')
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .executeTakeFirst();
  return row?.blocked ?? null;
}

export function readHolds(tx: Tx, accountId: string): Promise<BlockHold[]> {
  return configurationTables(tx)
    .selectFrom('block_hold')
    .select(['serial', 'blocked'])
    .where('account_id', '=', accountId)
    .execute();
}

export async function holdingAccounts(tx: Tx): Promise<string[]> {
  const rows = await configurationTables(tx).selectFrom('block_hold').select('account_id').distinct().execute();
  return rows.map(({ account_id }) => account_id);
}

export type BlockedIn = (gwid: string | null) => readonly string[];
