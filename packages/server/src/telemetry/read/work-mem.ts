import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { Scope } from './types.ts';

/**
 * Raises work_mem: a hundred thousand clients need no temporary files.
 * @returns the visible networks; null: all
 */
export async function raiseWorkMem(tx: Tx): Promise<readonly string[] | null> {
  const { rows } = await sql<{ networks: string[] | null }>`
    select set_config('work_mem', '64MB', true), platform.networks()::text[] as networks`.execute(tx);
  return rows[0]!.networks;
}

/** Returns the requested networks, else the visible ones; null: all. */
export async function workMemFor(tx: Tx, { gwids }: Scope): Promise<readonly string[] | null> {
  const networks = await raiseWorkMem(tx);
  return gwids ?? networks;
}
