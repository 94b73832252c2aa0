import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';

/** Wireless or gateway settings, or a template. */
export async function hasSavedSettings(tx: Tx, accountId: string, gwid: string): Promise<boolean> {
  const { rows } = await sql<{ saved: boolean }>`
    select exists (select from wireless_intent where account_id = ${accountId} and gwid = ${gwid})
      or exists (select from gateway_intent where account_id = ${accountId} and gwid = ${gwid})
      or exists (select from standing_layer where account_id = ${accountId} and scope = 'network' and ref = ${gwid}) as saved
  `.execute(tx);
  return rows[0]!.saved;
}
