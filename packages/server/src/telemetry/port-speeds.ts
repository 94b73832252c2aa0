import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/index.ts';
import { slowMbps } from './read/slow-ports.ts';

/** Days; afterwards the present speed is the usual one. */
const keptDays = 30;

/** Remembers ports faster than 100 Mbit/s, to notice a fall. Writes each device once a day at most. */
export function createPortSpeeds({ database, clock }: { database: Database; clock: Clock }) {
  return {
    async run(): Promise<void> {
      const now = clock.now();
      const today = now.toISOString().slice(0, 10);
      const oldest = new Date(now.getTime() - keptDays * 86_400_000).toISOString().slice(0, 10);
      await sql`
        with seen as (
          select l.account_id, l.serial, jsonb_object_agg(p ->> 'name',
            jsonb_build_object('speed', (p ->> 'speed')::int, 'day', ${today}::text)) as speeds
          from device_latest l cross join lateral jsonb_array_elements(l.links -> 'ports') p
          where l.links_at > ${new Date(now.getTime() - 86_400_000)} and p -> 'carrier' = 'true'
            and jsonb_typeof(p -> 'speed') = 'number' and (p ->> 'speed')::float8 > ${slowMbps}
          group by 1, 2
        ), merged as (
          select s.account_id, s.serial, s.speeds || coalesce((
            select jsonb_object_agg(key, value) from jsonb_each(l.port_speeds)
            where not s.speeds ? key and value ->> 'day' > ${oldest}), '{}') as speeds
          from seen s join device_latest l using (account_id, serial)
        )
        update device_latest l set port_speeds = m.speeds from merged m
        where l.account_id = m.account_id and l.serial = m.serial and l.port_speeds is distinct from m.speeds
      `.execute(database.system);
    },
  };
}
