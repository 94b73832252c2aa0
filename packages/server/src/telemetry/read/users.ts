import { type RawBuilder, sql } from 'kysely';
import { addDays, dayOf } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { userColumns, userCounts, visitColumns, wholeAccount } from '../day-counts.ts';
import type { Scope, UserCounts } from './types.ts';
import { workMemFor } from './work-mem.ts';

/** Local days, `YYYY-MM-DD`, both inclusive; today is partial. */
export interface Days extends Scope {
  from: string;
  to: string;
  now: Date;
  zone: string;
}

const counts = sql.raw(
  'online, new_users as "newUsers", old_users as "oldUsers", authenticated',
) as RawBuilder<UserCounts>;

export const noUsers: UserCounts = { online: 0, newUsers: 0, oldUsers: 0, authenticated: 0 };

/** Null: stored, not counted yet. */
export interface UserDay {
  day: string;
  counts: UserCounts | null;
}

const among = (gwids: readonly string[] | null) => (gwids ? sql` and gwid = any(${[...gwids]}::uuid[])` : sql``);

/** One network or the account; null for several, which may share users. */
const lineOf = (gwids: readonly string[] | null) =>
  gwids === null ? wholeAccount : gwids.length === 1 ? gwids[0]! : null;

/** Sums parts of days without a final count. */
const asTheyCome = (columns: readonly string[]) => sql`
  select day, gwid, ${sql.raw(columns.map((column) => `sum(${column})::integer as ${column}`).join(', '))} from users_day_part`;

export async function usersToday(
  tx: Tx,
  accountId: string,
  { now, zone, ...scope }: Scope & { now: Date; zone: string },
): Promise<UserCounts> {
  const today = dayOf(now, zone);
  const [row] = await usersByDay(tx, accountId, { ...scope, from: today, to: today, now, zone });
  return row?.counts ?? noUsers;
}

/**
 * Sorts oldest first, from the account's first day. Reads final counts, parts of open days, and client rows of several
 * networks, which may share users.
 */
export async function usersByDay(tx: Tx, accountId: string, query: Days): Promise<UserDay[]> {
  const gwids = await workMemFor(tx, query);
  if (gwids?.length === 0) return [];
  const line = lineOf(gwids);
  const { first, open, last } = await bounds(tx, accountId, { ...query, gwids });
  const each =
    line === null
      ? sql`
        select day, ${userCounts} from (
          select day, bool_or(is_new) as is_new, bool_or(authenticated) as authenticated from station_day
          where account_id = ${accountId} and day >= ${first}::date and day <= ${last}::date${among(gwids)}
          group by day, mac) each
        group by day`
      : sql`
        select day, ${sql.raw(userColumns.join(', '))} from users_day
        where account_id = ${accountId} and gwid = ${line} and day >= ${first}::date and day <= ${last}::date and day < ${open}::date
        union all
        select day, ${sql.raw(userColumns.join(', '))} from (
          ${asTheyCome(userColumns)}
          where account_id = ${accountId} and gwid = ${line} and day >= ${first}::date and day <= ${last}::date and day >= ${open}::date
          group by 1, 2) part`;
  const { rows } = await sql<UserCounts & { day: string }>`
    select to_char(day, 'YYYY-MM-DD') as day, ${counts} from (${each}) days order by 1
  `.execute(tx);
  const found = new Map(rows.map(({ day, ...each }) => [day, each]));
  const uncounted = line === null ? [] : await uncountedDays(tx, accountId, { ...query, gwids, to: last }, found);
  const all: UserDay[] = uncounted.filter((day) => day < first).map((day) => ({ day, counts: null }));
  for (let day = first; day <= last; day = addDays(day, 1))
    all.push({ day, counts: found.get(day) ?? (uncounted.includes(day) ? null : noUsers) });
  return all;
}

/** Finds days of an import, or whose count is late. */
async function uncountedDays(
  tx: Tx,
  accountId: string,
  { gwids, from, to }: Scope & { from: string; to: string },
  counted: ReadonlyMap<string, UserCounts>,
): Promise<string[]> {
  const missing: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) if (!counted.has(day)) missing.push(day);
  if (missing.length === 0) return [];
  const { rows } = await sql<{ day: string }>`
    select to_char(m.day, 'YYYY-MM-DD') as day from unnest(${missing}::date[]) m (day)
    where exists (select from station_day s where s.account_id = ${accountId} and s.day = m.day${among(gwids)})
    order by 1
  `.execute(tx);
  return rows.map(({ day }) => day);
}

/** Minutes up to `gt30`, then hours; lower bounds are inclusive. */
export interface DwellCounts {
  lt30: number;
  gt30: number;
  h1to2: number;
  h2to4: number;
  gt4: number;
}

export interface VisitCounts extends DwellCounts {
  visits: number;
  /** Touching 0–6, 6–11, 11–14, 14–19, 19–24 h. */
  byPart: readonly [number, number, number, number, number];
}

export async function visits(tx: Tx, accountId: string, query: Days): Promise<VisitCounts> {
  const gwids = await workMemFor(tx, query);
  const { first, open, last } = await bounds(tx, accountId, { ...query, gwids });
  const rowsOf = gwids ? sql`gwid = any(${[...gwids]}::uuid[])` : sql`gwid = ${wholeAccount}`;
  const summed = sql.raw(visitColumns.map((column) => `coalesce(sum(${column}), 0)::bigint as ${column}`).join(', '));
  const { rows } = await sql<Record<(typeof visitColumns)[number], number>>`
    select ${summed} from (
      select ${sql.raw(visitColumns.join(', '))} from users_day
      where account_id = ${accountId} and ${rowsOf} and day >= ${first}::date and day <= ${last}::date and day < ${open}::date
      union all
      select ${sql.raw(visitColumns.join(', '))} from users_day_part
      where account_id = ${accountId} and ${rowsOf} and day >= ${first}::date and day <= ${last}::date and day >= ${open}::date) days
  `.execute(tx);
  const row = rows[0]!;
  return {
    visits: row.visits,
    lt30: row.visits_lt30,
    gt30: row.visits_gt30,
    h1to2: row.visits_1to2,
    h2to4: row.visits_2to4,
    gt4: row.visits_gt4,
    byPart: [row.visits_0to6, row.visits_6to11, row.visits_11to14, row.visits_14to19, row.visits_19to24],
  };
}

/** Finds `open`, the first day without a final count. */
async function bounds(
  tx: Tx,
  accountId: string,
  { gwids, from, to, now, zone }: Days,
): Promise<{ first: string; open: string; last: string }> {
  const today = dayOf(now, zone);
  const last = to < today ? to : today;
  const mine = gwids ? sql`gwid = any(${[...gwids]}::uuid[])` : sql`gwid = ${wholeAccount}`;
  // limited callers cannot read the account's row
  const final = gwids
    ? sql`select (until at time zone 'UTC')::date from platform.rollup_progress where name = 'users_day'`
    : sql`select max(day) + 1 from users_day where account_id = ${accountId} and gwid = ${wholeAccount} and final`;
  const { rows } = await sql<{ counted: string | null; there: string | null; open: string | null }>`
    select to_char((${final}), 'YYYY-MM-DD') as open,
      (select to_char(day, 'YYYY-MM-DD') from users_day where account_id = ${accountId} and ${mine} and day >= ${from}::date order by users_day.day limit 1) as counted,
      (select to_char(day, 'YYYY-MM-DD') from station_day where account_id = ${accountId}${among(gwids)}
        and day >= greatest(${from}::date, coalesce((${final}), ${from}::date)) order by station_day.day limit 1) as there
  `.execute(tx);
  const { counted, there, open } = rows[0]!;
  const first = [counted, there].filter((day) => day !== null).toSorted()[0] ?? today;
  return { first: first > from ? first : from, open: open ?? from, last };
}
