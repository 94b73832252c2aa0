import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { Neighbour } from './results.ts';

export async function latestScans(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
  since: Date,
): Promise<Map<string, readonly Neighbour[]>> {
  const { rows } = await sql<{ serial: string; neighbours: Neighbour[] | null }>`
    select distinct on (serial) serial, result->'neighbours' as neighbours from tool_run
    where account_id = ${accountId} and serial = any(${[...serials]}::text[]) and tool = 'wifiscan' and state = 'done'
      and created_at >= ${since}
    order by serial, created_at desc
  `.execute(tx);
  return new Map(rows.map(({ serial, neighbours }) => [serial, neighbours ?? []]));
}
