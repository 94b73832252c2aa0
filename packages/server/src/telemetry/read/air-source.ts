import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { Scope } from './types.ts';

/** Network counters, or clients if the firmware has none. */
export type AirFlowSource = 'none' | 'counters' | 'clients' | 'both';

export async function airFlowSource(tx: Tx, accountId: string, { gwids }: Scope): Promise<AirFlowSource> {
  const { rows } = await sql<{ counters: boolean | null; clients: boolean | null }>`
    select bool_or(not n.silent) as counters, bool_or(n.silent) as clients
    from device_counters c join device_place d on d.account_id = c.account_id and d.serial = c.serial
    cross join lateral (
      select coalesce(value ->> 0, value ->> 1) is null as silent
      from jsonb_each(case jsonb_typeof(c.counters -> 'bss') when 'object' then c.counters -> 'bss' else '{}' end)
    ) n
    where c.account_id = ${accountId}${gwids ? sql` and d.gwid = any(${[...gwids]}::uuid[])` : sql``}
  `.execute(tx);
  const { counters, clients } = rows[0] ?? {};
  if (counters && clients) return 'both';
  if (counters) return 'counters';
  return clients ? 'clients' : 'none';
}
