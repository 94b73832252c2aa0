import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';

/** Finds devices that count wired bytes, whose missing bytes mean zero. */
export async function countingDevices(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<ReadonlySet<string>> {
  if (serials.length === 0) return new Set();
  const { rows } = await sql<{ serial: string }>`
    select serial from device_latest
    where account_id = ${accountId} and serial = any(${[...new Set(serials)]}::text[]) and (edge->>'counts')::boolean
  `.execute(tx);
  return new Set(rows.map(({ serial }) => serial));
}
