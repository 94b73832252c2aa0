import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { Reach } from './types.ts';

/**
 * Gives the rest of the transaction memory to count an account with a hundred thousand terminals without files on disk.
 * @returns the networks that the transaction is narrowed to; null is all of them
 */
export async function makeRoom(tx: Tx): Promise<readonly string[] | null> {
  const { rows } = await sql<{ networks: string[] | null }>`
    select set_config('work_mem', '64MB', true), platform.networks()::text[] as networks`.execute(tx);
  return rows[0]!.networks;
}

/** Makes room, and says of which networks is counted: those that are asked for, else those that may be seen; null is all. */
export async function roomFor(tx: Tx, { gwids }: Reach): Promise<readonly string[] | null> {
  const networks = await makeRoom(tx);
  return gwids ?? networks;
}
