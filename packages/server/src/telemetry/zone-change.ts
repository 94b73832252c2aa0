import { sql } from 'kysely';
import { dayOf } from '../platform/calendar.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/index.ts';
import { enqueue } from '../platform/jobs/index.ts';
import { userColumns, userCounts, visitColumns, visitCounts, wholeAccount } from './day-counts.ts';
import { holdDevices } from './ingest/unbind.ts';
import { midnightSql } from './midnight.ts';
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
      [task]: async (days: OpenDays) => {
        // ingest waits for one network only
        for (const gwid of await database.withSystem((tx) => countedNetworks(tx, days)))
          await database.withSystem((tx) => recountNetwork(tx, days, gwid, clock.now()));
        await database.withSystem((tx) => recountTotals(tx, days));
      },
    },
  };
}

async function countedNetworks(tx: Tx, { accountId, first, last }: OpenDays): Promise<string[]> {
  const { rows } = await sql<{ gwid: string }>`
    select gwid from device_place where account_id = ${accountId}
    union select gwid from station_day where account_id = ${accountId} and day between ${first}::date and ${last}::date
    order by gwid
  `.execute(tx);
  return rows.map(({ gwid }) => gwid);
}

async function recountNetwork(tx: Tx, days: OpenDays, gwid: string, now: Date): Promise<void> {
  const { accountId, first, last } = days;
  await sql`select pg_advisory_xact_lock(${usersDayLock})`.execute(tx);
  const { rows } = await sql<{ serial: string }>`
    select serial from device_place where account_id = ${accountId} and gwid = ${gwid}
  `.execute(tx);
  // ingest transactions may still write by the old zone
  await holdDevices(
    tx,
    accountId,
    rows.map(({ serial }) => serial),
  );
  await sql`
    delete from station_day where account_id = ${accountId} and gwid = ${gwid} and day between ${first}::date and ${last}::date
  `.execute(tx);
  await countDays(tx, days, gwid, now);
}

async function recountTotals(tx: Tx, { accountId, first, last }: OpenDays): Promise<void> {
  await sql`select pg_advisory_xact_lock(${usersDayLock})`.execute(tx);
  const open = sql`account_id = ${accountId} and day between ${first}::date and ${last}::date`;
  await sql`delete from users_day where ${open}`.execute(tx);
  const columns = sql.raw([...userColumns, ...visitColumns].join(', '));
  const zeros = (names: readonly string[]) => sql.raw(names.map(() => '0').join(', '));
  // one statement: rows that ingest commits meanwhile add their own parts
  await sql`
    with gone as (delete from users_day_part where ${open})
    insert into users_day_part (account_id, day, gwid, ${columns})
    select account_id, day, gwid, ${userCounts}, ${visitCounts}
    from station_day where ${open} and gwid <> ${wholeAccount} group by 1, 2, 3
    union all
    select account_id, day, ${wholeAccount}::uuid, ${zeros(userColumns)}, ${visitCounts}
    from station_day where ${open} group by 1, 2
    union all
    select account_id, day, ${wholeAccount}::uuid, ${userCounts}, ${zeros(visitColumns)}
    from (
      select account_id, day, mac, bool_or(is_new) as is_new, bool_or(authenticated) as authenticated
      from station_day where ${open} group by 1, 2, 3) each
    group by 1, 2
  `.execute(tx);
}

/** Bytes count by quarter hours, which no zone's midnight divides; presence by sessions. */
async function countDays(tx: Tx, { accountId, first, last }: OpenDays, gwid: string, now: Date): Promise<void> {
  const midnight = (day: string) => sql.raw(midnightSql(day, 'c.time_zone'));
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
        select day::date as day, c.time_zone as zone, ${midnight('day')} as begins,
          ${midnight("day + interval '1 day'")} as ends
        from account_calendar c, generate_series(${first}::timestamp, ${last}::timestamp, interval '1 day') day
        where c.account_id = ${accountId}
      ) d
      join (
        select mac, gwid, started_at, greatest(started_at, last_at) as until, band, authenticated from station_open
        where account_id = ${accountId} and gwid = ${gwid}
        union all
        select mac, gwid, started_at, greatest(started_at, ended_at), band, authenticated from station_session
        where account_id = ${accountId} and gwid = ${gwid} and ended_at >= ${first}::date - interval '1 day'
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
