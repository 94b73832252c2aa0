import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { isConnected } from './connected.ts';
import type { Scope } from './types.ts';

const max = 200;

/** Returns 200 at most, sorted. */
export async function ssidsNow(tx: Tx, accountId: string, { gwids }: Scope): Promise<string[]> {
  const { rows } = await sql<{ ssid: string }>`
    select distinct o.ssid from station_open o
    where o.account_id = ${accountId} and o.ssid <> '' and o.band > 0${gwids ? sql` and o.gwid = any(${[...gwids]}::uuid[])` : sql``}
      and ${isConnected(accountId, 'o.serial')}
    order by o.ssid limit ${max}
  `.execute(tx);
  return rows.map(({ ssid }) => ssid);
}
