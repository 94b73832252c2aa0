import { sql } from 'kysely';
import { dayOf } from '../platform/calendar.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/index.ts';
import { enqueue } from '../platform/jobs/index.ts';
import { usersDayLock } from './users-day.ts';

const task = 'open-day-recount';

interface OpenDays {
  accountId: string;
  /** `YYYY-MM-DD`, both inclusive. */
  first: string;
  last: string;
}

/** Recounts clients of the days that are open in either zone, after the change has committed. */
export async function enqueueOpenDayRecount(
  tx: Tx,
  { accountId, at, zones }: { accountId: string; at: Date; zones: readonly string[] },
): Promise<void> {
  const days = zones.map((zone) => dayOf(at, zone)).toSorted();
  const payload: OpenDays = { accountId, first: days[0]!, last: days.at(-1)! };
  await enqueue(tx, task, payload);
}

export function createOpenDayRecount({ database, clock }: { database: Database; clock: Clock }) {
  return {
    tasks: {
      [task]: ({ accountId, first, last }: OpenDays) =>
        database.withSystem(async (tx) => {
          await sql`select pg_advisory_xact_lock(${usersDayLock})`.execute(tx);
          // ingest transactions, which may still write by the old zone
          await sql`
            select from device_counters where account_id = ${accountId} order by serial for update
          `.execute(tx);
          for (const table of ['station_day', 'users_day_part', 'users_day'])
            await sql`
              delete from ${sql.table(table)}
              where account_id = ${accountId} and day between ${first}::date and ${last}::date
            `.execute(tx);
          await countDays(tx, { accountId, first, last }, clock.now());
        }),
    },
  };
}

/** Bytes count by quarter hours, which no zone's midnight divides; presence by sessions. */
async function countDays(tx: Tx, { accountId, first, last }: OpenDays, now: Date): Promise<void> {
  await sql`
    insert into station_day (account_id, day, gwid, mac, first_at, last_at, seconds, present, down, up, sessions, is_new,
      authenticated, wireless, hours)
    select ${accountId}, p.day, p.gwid, p.mac, p.first_at, p.last_at,
      (select coalesce(sum(upper(span) - lower(span)), 0) from unnest(p.present) span), p.present,
      coalesce(f.down, 0), coalesce(f.up, 0), p.sessions,
      (s.first_seen at time zone p.zone)::date >= p.day, p.authenticated, p.wireless, p.hours
    from (
      select d.day, d.begins, d.ends, d.zone, o.gwid, o.mac,
        min(greatest(o.started_at, d.begins)) as first_at, max(least(o.until, d.ends)) as last_at,
        range_agg(int4range(
          floor(extract(epoch from greatest(o.started_at, d.begins)) - extract(epoch from d.day::timestamp))::integer,
          floor(extract(epoch from least(o.until, d.ends)) - extract(epoch from d.day::timestamp))::integer)) as present,
        count(*) filter (where o.started_at >= d.begins) as sessions,
        bool_or(o.authenticated) as authenticated, bool_or(o.band > 0) as wireless,
        bit_or((1 << (1 + case when o.until >= d.ends then 23 else extract(hour from o.until at time zone d.zone)::integer end))
          - (1 << case when o.started_at < d.begins then 0 else extract(hour from o.started_at at time zone d.zone)::integer end)) as hours
      from (
        select day::date as day, c.time_zone as zone, day at time zone c.time_zone as begins,
          (day + interval '1 day') at time zone c.time_zone as ends
        from account_calendar c, generate_series(${first}::timestamp, ${last}::timestamp, interval '1 day') day
        where c.account_id = ${accountId}
      ) d
      join (
        select mac, gwid, started_at, greatest(started_at, last_at) as until, band, authenticated from station_open where account_id = ${accountId}
        union all
        select mac, gwid, started_at, greatest(started_at, ended_at), band, authenticated from station_session
        where account_id = ${accountId} and ended_at >= ${first}::date - interval '1 day'
      ) o on o.started_at < d.ends and o.until >= d.begins
      where d.begins <= ${now}
      group by 1, 2, 3, 4, 5, 6
    ) p
    join station s on s.account_id = ${accountId} and s.mac = p.mac
    left join lateral (
      select sum(q.down)::bigint as down, sum(q.up)::bigint as up from station_quarter q
      where q.account_id = ${accountId} and q.mac = p.mac and q.gwid = p.gwid and q.bucket >= p.begins and q.bucket < p.ends
    ) f on true
  `.execute(tx);
}
