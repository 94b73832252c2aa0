import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { DeviceRef } from '../../uplink/ports.ts';

/** Mbit/s after a cable lost a pair. */
export const slowMbps = 100;
/** Milliseconds; only whole reports have ports. */
const freshMs = 30 * 60_000;
/** Days that a port counts as faster. */
const fasterDays = 30;

export interface SlowPort extends DeviceRef {
  name: string;
  isSlow: boolean;
  /** Mbit/s; null without a link. */
  speed: number | null;
}

/**
 * Finds ports of all accounts at 100 Mbit/s or less that ran faster in the last 30 days, and `tracked` ones. System
 * role.
 */
export async function slowPorts(
  tx: Tx,
  now: Date,
  tracked: readonly (DeviceRef & { part: string })[],
): Promise<SlowPort[]> {
  const since = new Date(now.getTime() - fasterDays * 86_400_000).toISOString().slice(0, 10);
  const { rows } = await sql<SlowPort>`
    with tracked as (
      select distinct * from unnest(${tracked.map((ref) => ref.accountId)}::uuid[],
        ${tracked.map((ref) => ref.serial)}::text[], ${tracked.map((ref) => ref.part)}::text[]) as r (account_id, serial, name)
    ), port as (
      select l.account_id, l.serial, p ->> 'name' as name,
        case when p -> 'carrier' = 'true' and jsonb_typeof(p -> 'speed') = 'number' then (p ->> 'speed')::float8 end as speed,
        l.port_speeds -> (p ->> 'name') ->> 'day' > ${since} as was_faster
      from device_latest l cross join lateral jsonb_array_elements(l.links -> 'ports') p
      where l.port_speeds is not null and l.links_at > ${new Date(now.getTime() - freshMs)}
    )
    select p.account_id as "accountId", p.serial, p.name, p.speed,
      coalesce(p.speed <= ${slowMbps} and p.was_faster, false) as "isSlow"
    from port p left join tracked t using (account_id, serial, name)
    where (p.speed <= ${slowMbps} and p.was_faster) or t.serial is not null
  `.execute(tx);
  return rows;
}
