import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { isConnected } from './connected.ts';

/** `leftAt`: end of the last session at a device that lists clients. */
export type Sighting = 'present' | { leftAt: Date };

/** Asks the devices of a network that list clients. MACs have 12 hex digits; without a sighting since `since`, none. */
export async function clientSightings(
  tx: Tx,
  accountId: string,
  { gwid, macs, since }: { gwid: string; macs: readonly string[]; since: Date },
): Promise<ReadonlyMap<string, Sighting>> {
  if (macs.length === 0) return new Map();
  const { rows } = await sql<{ mac: string; left_at: Date | null }>`
    select mac, case when bool_or(left_at is null) then null else max(left_at) end as left_at from (
      select o.mac, null::timestamptz as left_at from station_open o
      where o.account_id = ${accountId} and o.gwid = ${gwid} and o.mac = any(${[...macs]}::text[])
        and ${isConnected(accountId, 'o.serial')}
      union all
      select s.mac, s.ended_at from station_session s
      where s.account_id = ${accountId} and s.gwid = ${gwid} and s.mac = any(${[...macs]}::text[])
        and s.ended_at >= ${since}
    ) known group by mac`.execute(tx);
  return new Map(rows.map(({ mac, left_at: leftAt }) => [mac, leftAt === null ? 'present' : { leftAt }]));
}
