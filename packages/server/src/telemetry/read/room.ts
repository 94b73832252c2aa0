import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';

/** Gives the rest of the transaction memory to count an account with a hundred thousand terminals without files on disk. */
export async function makeRoom(tx: Tx): Promise<void> {
  await sql`select set_config('work_mem', '64MB', true)`.execute(tx);
}
