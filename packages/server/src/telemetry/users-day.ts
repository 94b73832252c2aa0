import { sql } from 'kysely';
import { addDays } from '../platform/calendar.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/index.ts';
import { userColumns, userCounts, visitColumns, visitCounts, wholeAccount } from './day-counts.ts';
import { midnightSql } from './midnight.ts';

/** Milliseconds after midnight: first count, and final one with late reports. */
const closedAfter = 10 * 60_000;
const finalAfter = 3 * 3_600_000;
const accountsAtOnce = 200;
const dayMs = 86_400_000;
export const usersDayLock = 0x79756e_03;

export interface UsersDay {
  /** Counts finished days of each account's calendar. */
  run(): Promise<void>;
  /** Recounts days (`YYYY-MM-DD`, both inclusive) whose rows exist. */
  rebuild(from: string, to: string): Promise<void>;
}

/** Serialises processes; each step is a transaction. */
export function createUsersDay({ database, clock }: { database: Database; clock: Clock }): UsersDay {
  async function count(day: string, accounts: readonly { account_id: string; final: boolean }[]): Promise<void> {
    for (let first = 0; first < accounts.length; first += accountsAtOnce) {
      const some = accounts.slice(first, first + accountsAtOnce);
      await database.withSystem((tx) => countDay(tx, day, some));
    }
  }

  return {
    async run() {
      const now = clock.now();
      for (const day of await daysToLookAt(database, now)) await count(day, await waiting(database, day, now));
      // earlier days have ended in all time zones
      const until = new Date(Math.floor(+now / dayMs) * dayMs - dayMs);
      await sql`
        insert into platform.rollup_progress (name, until) values ('users_day', ${until})
        on conflict (name) do update set until = greatest(rollup_progress.until, excluded.until)
      `.execute(database.system);
      await database.withSystem((tx) => putPartsTogether(tx, now));
    },

    async rebuild(from, to) {
      const { rows } = await sql<{ day: string; account_id: string; final: boolean }>`
        select to_char(day, 'YYYY-MM-DD') as day, account_id, final from users_day
        where gwid = ${wholeAccount} and day between ${from}::date and ${to}::date
          and to_regclass('station_day_' || to_char(day, 'YYYYMMDD')) is not null order by 1, 2
      `.execute(database.system);
      const days = new Map<string, typeof rows>();
      for (const row of rows) days.set(row.day, [...(days.get(row.day) ?? []), row]);
      for (const [day, accounts] of days) await count(day, accounts);
    },
  };
}

/** Starts at the last run, or the first day with users. */
async function daysToLookAt(database: Database, now: Date): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select to_char(d, 'YYYY-MM-DD') as day from generate_series(
      least(coalesce(
        (select (until at time zone 'UTC')::date from platform.rollup_progress where name = 'users_day'),
        (select min(day) from station_day)), (${now}::timestamptz at time zone 'UTC')::date - 1),
      (${now}::timestamptz at time zone 'UTC')::date, interval '1 day') d order by 1
  `.execute(database.system);
  return rows.map(({ day }) => day);
}

/** Finds accounts with a finished, uncounted day. */
async function waiting(database: Database, day: string, now: Date) {
  const { rows } = await sql<{ account_id: string; final: boolean }>`
    select a.account_id, e.ended <= ${new Date(+now - finalAfter)} as final
    from account_calendar a
      cross join lateral (select ${sql.raw(midnightSql(`date '${addDays(day, 1)}'`, 'a.time_zone'))} as ended) e
      left join users_day u on u.account_id = a.account_id and u.day = ${day}::date and u.gwid = ${wholeAccount}
    where e.ended <= ${new Date(+now - closedAfter)}
      and (u.final is null or (not u.final and e.ended <= ${new Date(+now - finalAfter)}))
      and (a.first_day <= ${day}::date
        or exists (select from station_day s where s.account_id = a.account_id and s.day = ${day}::date))
    order by a.account_id
  `.execute(database.system);
  return rows;
}

/** Counts a day of these accounts anew. System role. */
export async function countDay(
  tx: Tx,
  day: string,
  accounts: readonly { account_id: string; final: boolean }[],
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${usersDayLock})`.execute(tx);
  const ids = accounts.map(({ account_id }) => account_id);
  await sql`delete from users_day where day = ${day}::date and account_id = any(${ids}::uuid[])`.execute(tx);
  const columns = sql.raw([...userColumns, ...visitColumns].join(', '));
  const users = sql.raw(userColumns.map((column) => `coalesce(u.${column}, 0)`).join(', '));
  const visits = sql.raw(visitColumns.map((column) => `coalesce(v.${column}, 0)`).join(', '));
  await sql`
    with asked as (select * from unnest(${ids}::uuid[], ${accounts.map(({ final }) => final)}::boolean[]) a (account_id, final)),
      day as materialized (select s.* from station_day s join asked using (account_id) where s.day = ${day}::date)
    insert into users_day (account_id, day, gwid, ${columns}, final)
    select a.account_id, ${day}::date, n.gwid, n.${sql.raw([...userColumns, ...visitColumns].join(', n.'))}, a.final
    from asked a join (
      select account_id, gwid, ${userCounts}, ${visitCounts} from day where gwid <> ${wholeAccount} group by 1, 2) n using (account_id)
    union all
    select a.account_id, ${day}::date, ${wholeAccount}::uuid, ${users}, ${visits}, a.final
    from asked a
      left join (
        select account_id, ${userCounts} from (
          select account_id, mac, bool_or(is_new) as is_new, bool_or(authenticated) as authenticated from day group by 1, 2) each
        group by 1) u on u.account_id = a.account_id
      left join (select account_id, ${visitCounts} from day group by 1) v on v.account_id = a.account_id
  `.execute(tx);
}

/** Unmerged parts of a count. */
const maxParts = 4;
/** Milliseconds; longer than any query. */
const hoursKept = 35 * dayMs;

/** Merges counts per day and client; drops those of final days. */
async function putPartsTogether(tx: Tx, now: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(${usersDayLock})`.execute(tx);
  await sql`
    delete from users_day_part where day < (
      select (until at time zone 'UTC')::date - 1 from platform.rollup_progress where name = 'users_day')
  `.execute(tx);
  const columns = [...userColumns, ...visitColumns];
  // one statement: readers see the parts or their sum
  await sql`
    with several as (
      select account_id, day, gwid from users_day_part group by 1, 2, 3 having count(*) > ${maxParts}
    ), taken as (
      delete from users_day_part p using several s
      where p.account_id = s.account_id and p.day = s.day and p.gwid = s.gwid returning p.*
    )
    insert into users_day_part (account_id, day, gwid, ${sql.raw(columns.join(', '))})
    select account_id, day, gwid, ${sql.raw(columns.map((column) => `sum(${column})`).join(', '))} from taken group by 1, 2, 3
  `.execute(tx);
  // recent hours, and those past `hoursKept`
  await sql`
    with several as (
      select distinct account_id, kind, at from station_part where fresh
      union select distinct account_id, kind, at from station_part where at < ${new Date(+now - hoursKept)} and at > ${new Date(0)}
    ), taken as (
      delete from station_part p using several s where p.account_id = s.account_id and p.kind = s.kind and p.at = s.at returning p.*
    )
    insert into station_part (account_id, kind, at, terminal_type, brand, os, random_mac, terminals, fresh)
    select account_id, kind, case when at < ${new Date(+now - hoursKept)} then ${new Date(0)} else at end,
      terminal_type, brand, os, random_mac, sum(terminals), false
    from taken group by 1, 2, 3, 4, 5, 6, 7 having sum(terminals) <> 0
  `.execute(tx);
}
