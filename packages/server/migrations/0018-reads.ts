export const name = '0018-reads';

const users = ['online', 'new_users', 'old_users', 'authenticated'] as const;

/** Contribution of a station_day row to visit counts, as `visitCounts` in telemetry/day-counts.ts. */
const visits = {
  visits: () => '1',
  visits_lt30: (row: string) => `(${row}.seconds between 0 and 1799)::integer`,
  visits_gt30: (row: string) => `(${row}.seconds between 1800 and 3599)::integer`,
  visits_1to2: (row: string) => `(${row}.seconds between 3600 and 7199)::integer`,
  visits_2to4: (row: string) => `(${row}.seconds between 7200 and 14399)::integer`,
  visits_gt4: (row: string) => `(${row}.seconds >= 14400)::integer`,
  visits_0to6: (row: string) => `(${row}.hours & 63 <> 0)::integer`,
  visits_6to11: (row: string) => `(${row}.hours & 1984 <> 0)::integer`,
  visits_11to14: (row: string) => `(${row}.hours & 14336 <> 0)::integer`,
  visits_14to19: (row: string) => `(${row}.hours & 507904 <> 0)::integer`,
  visits_19to24: (row: string) => `(${row}.hours & 16252928 <> 0)::integer`,
} as const;

const zero = "'00000000-0000-0000-0000-000000000000'::uuid";
const columns = ['account_id', 'day', 'gwid', ...users, ...Object.keys(visits)].join(', ');
const noUsers = users.map(() => '0').join(', ');
const noVisits = Object.keys(visits)
  .map(() => '0')
  .join(', ');
const visitsOf = (row: string) =>
  Object.values(visits)
    .map((count) => `sum(${count(row)})`)
    .join(', ');
/** Difference between new and old rows `m`. */
const visitsMoved = Object.values(visits)
  .map(
    (count) =>
      `sum(${count('m')} - ${count('m').replaceAll('m.seconds', 'm.seconds0').replaceAll('m.hours', 'm.hours0')})`,
  )
  .join(', ');
const usersMoved = `0, sum(is_new::integer - is_new0::integer), sum(is_new0::integer - is_new::integer),
  sum(authenticated::integer - authenticated0::integer)`;
const usersMovedElsewhere = `0, sum(b.is_new1::integer - b.is_new::integer), sum(b.is_new::integer - b.is_new1::integer),
  sum(b.authenticated1::integer - b.authenticated::integer)`;
const lengths = "'{1800,3600,7200,14400}'::integer[]";
const usersOf = `count(*), count(*) filter (where is_new), count(*) filter (where not is_new), count(*) filter (where authenticated)`;
/** Difference between users after (a) and before (b); b is null for a new user. */
const usersMore = `count(*) filter (where b.is_new is null), sum(a.is_new::integer - coalesce(b.is_new, false)::integer),
  sum((not a.is_new)::integer - coalesce(not b.is_new, false)::integer),
  sum(a.authenticated::integer - coalesce(b.authenticated, false)::integer)`;
const key = (one: string, other: string) =>
  `${one}.account_id = ${other}.account_id and ${one}.day = ${other}.day and ${one}.gwid = ${other}.gwid and ${one}.mac = ${other}.mac`;

const facts = 'terminal_type, brand, os, random_mac';
const stationColumns = `account_id, kind, at, ${facts}, terminals`;
const hourOf = (time: string) => `date_bin('1 hour', ${time}, 'epoch')`;
/** Lists columns, and with suffix 0 their old values. */
const both = (...names: string[]) => names.map((name) => `n.${name}, o.${name} as ${name}0`).join(', ');

export const up = `
-- what the counts of a day were changed by, to be added up: of a network or, with zeros, of the account; the columns of
-- users_day. Whoever writes adds rows and waits for nobody; a job puts them together
create table users_day_part (
  account_id uuid not null,
  day date not null,
  gwid uuid not null,
  id bigint generated always as identity,
  ${[...users, ...Object.keys(visits)].map((column) => `${column} integer not null`).join(',\n  ')},
  primary key (account_id, day, gwid, id)
);
select platform.tenant_table('users_day_part', 'gwid');

-- Counts what a statement has done to station_day. Two transactions never write a terminal's days at the same time: each
-- has locked its row of station. Every query is planned anew, for a day that is known and as many rows as there are
create function platform.count_new_visits() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $count$
declare
  of_day date;
begin
  for of_day in select distinct day from fresh order by 1 loop
    execute $sql$
      insert into users_day_part (${columns})
      select account_id, day, gwid, ${usersOf}, ${visitsOf('n')}
      from fresh n where day = $1 and gwid <> ${zero} group by 1, 2, 3
      union all
      select account_id, day, ${zero}, ${noUsers}, ${visitsOf('n')} from fresh n where day = $1 group by 1, 2
    $sql$ using of_day;
    -- who was elsewhere in the account on that day is a user of it already
    execute $sql$
      insert into users_day_part (${columns})
      select account_id, $1, ${zero}, ${usersMore}, ${noVisits}
      from (
        select f.account_id, f.is_new or coalesce(s.is_new, false) as is_new,
          f.authenticated or coalesce(s.authenticated, false) as authenticated, s.is_new as was_new, s.authenticated as was_authenticated
        from (
          select account_id, mac, array_agg(gwid) as gwids, bool_or(is_new) as is_new, bool_or(authenticated) as authenticated
          from fresh where day = $1 group by 1, 2) f
        cross join lateral (
          select bool_or(s.is_new) as is_new, bool_or(s.authenticated) as authenticated from station_day s
          where s.account_id = f.account_id and s.mac = f.mac and s.day = $1 and s.gwid <> all(f.gwids)) s
      ) a cross join lateral (select a.was_new as is_new, a.was_authenticated as authenticated) b
      group by 1
    $sql$ using of_day;
  end loop;
  return null;
end $count$;
create trigger count_new after insert on station_day
  referencing new table as fresh for each statement execute function platform.count_new_visits();

create function platform.count_changed_visits() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $count$
declare
  of_day date;
begin
  for of_day in select distinct day from fresh order by 1 loop
    execute $sql$
      with moved as materialized (
        select n.account_id, n.gwid, n.mac, o.seconds as seconds0, o.hours as hours0, o.is_new as is_new0, o.authenticated as authenticated0,
          n.seconds, n.hours, n.is_new, n.authenticated
        from former o join fresh n on ${key('n', 'o')}
        where n.day = $1 and (n.hours <> o.hours or n.is_new <> o.is_new or n.authenticated <> o.authenticated
          or width_bucket(n.seconds, ${lengths}) <> width_bucket(o.seconds, ${lengths}))
      ), terminal as (
        select distinct account_id, mac from moved where is_new <> is_new0 or authenticated <> authenticated0
      )
      insert into users_day_part (${columns})
      select account_id, $1, gwid, ${usersMoved}, ${visitsMoved} from moved m where gwid <> ${zero} group by 1, 3
      union all
      select account_id, $1, ${zero}, ${noUsers}, ${visitsMoved} from moved m group by 1
      union all
      select t.account_id, $1, ${zero}, ${usersMovedElsewhere}, ${noVisits}
      from terminal t
      cross join lateral (
        -- what else there was of it. A statement that adds rows and changes others has changed these first: rows that it
        -- added (they are of the same command) are nothing yet
        select coalesce(bool_or(coalesce(o.is_new, s.is_new)), false) as is_new,
          coalesce(bool_or(coalesce(o.authenticated, s.authenticated)), false) as authenticated,
          coalesce(bool_or(s.is_new), false) as is_new1, coalesce(bool_or(s.authenticated), false) as authenticated1
        from station_day s
        left join former o on o.account_id = s.account_id and o.day = s.day and o.gwid = s.gwid and o.mac = s.mac
        where s.account_id = t.account_id and s.mac = t.mac and s.day = $1 and (o.mac is not null or not exists (
          select from moved m join station_day c on c.account_id = m.account_id and c.day = $1 and c.gwid = m.gwid and c.mac = m.mac
          where m.account_id = s.account_id and m.mac = s.mac and c.xmin = s.xmin and c.cmin = s.cmin))
      ) b
      group by 1
    $sql$ using of_day;
  end loop;
  return null;
end $count$;
create trigger count_changed after update on station_day
  referencing old table as former new table as fresh for each statement execute function platform.count_changed_visits();

-- counts the days from one on anew, as far as their rows are kept
create function platform.recount_visits(first date) returns void language sql as $$
  delete from users_day_part where day >= first;
  insert into users_day_part (${columns})
  select account_id, day, gwid, ${usersOf}, ${visitsOf('n')}
  from station_day n where day >= first and gwid <> ${zero} group by 1, 2, 3
  union all
  select account_id, day, ${zero}, ${noUsers}, ${visitsOf('n')} from station_day n where day >= first group by 1, 2
  union all
  select account_id, day, ${zero}, ${usersOf}, ${noVisits}
  from (
    select account_id, day, mac, bool_or(is_new) as is_new, bool_or(authenticated) as authenticated
    from station_day where day >= first group by 1, 2, 3) n
  group by 1, 2;
$$;
revoke execute on function platform.recount_visits(date) from public;
select platform.recount_visits((now() at time zone 'UTC')::date - 4);

-- how many terminals of an account were last seen (kind seen: what they are) or first seen (kind first) in an hour, in
-- parts to be added up, some of them negative. Hours that nobody asks about any more lie together at the beginning of time
create table station_part (
  account_id uuid not null references account on delete cascade,
  kind text not null check (kind in ('seen', 'first')),
  at timestamptz not null,
  id bigint generated always as identity,
  terminal_type text,
  brand text,
  os text,
  random_mac boolean,
  terminals integer not null,
  -- not put together with others yet
  fresh boolean not null default true,
  primary key (account_id, kind, at, id)
);
create index station_part_fresh on station_part (account_id) where fresh;
create index station_part_at on station_part (at);
select platform.tenant_table('station_part');
select platform.whole_account_only('station_part');

create function platform.count_new_stations() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $count$
begin
  execute $sql$
    insert into station_part (${stationColumns})
    select account_id, 'seen', ${hourOf('last_seen')}, ${facts}, count(*) from fresh group by 1, 2, 3, 4, 5, 6, 7
    union all
    select account_id, 'first', ${hourOf('first_seen')}, null, null, null, null, count(*) from fresh group by 1, 2, 3
  $sql$;
  return null;
end $count$;
create trigger count_new after insert on station
  referencing new table as fresh for each statement execute function platform.count_new_stations();

create function platform.count_changed_stations() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $count$
begin
  execute $sql$
    with moved as materialized (
      select n.account_id, ${both('last_seen', 'first_seen', 'terminal_type', 'brand', 'os', 'random_mac')}
      from former o join fresh n on n.account_id = o.account_id and n.mac = o.mac
      where (${hourOf('n.last_seen')}, ${hourOf('n.first_seen')}, n.terminal_type, n.brand, n.os, n.random_mac)
        is distinct from (${hourOf('o.last_seen')}, ${hourOf('o.first_seen')}, o.terminal_type, o.brand, o.os, o.random_mac)
    )
    insert into station_part (${stationColumns})
    select account_id, kind, at, ${facts}, sum(terminals) from (
      select account_id, 'seen' as kind, ${hourOf('last_seen')} as at, ${facts}, 1 as terminals from moved
      union all
      select account_id, 'seen', ${hourOf('last_seen0')}, terminal_type0, brand0, os0, random_mac0, -1 from moved
      union all
      select account_id, 'first', ${hourOf('first_seen')}, null, null, null, null, 1 from moved
      union all
      select account_id, 'first', ${hourOf('first_seen0')}, null, null, null, null, -1 from moved
    ) part group by 1, 2, 3, 4, 5, 6, 7 having sum(terminals) <> 0
  $sql$;
  return null;
end $count$;
create trigger count_changed after update on station
  referencing old table as former new table as fresh for each statement execute function platform.count_changed_stations();

-- counts all terminals anew
create function platform.recount_stations() returns void language sql as $$
  delete from station_part;
  insert into station_part (${stationColumns})
  select account_id, 'seen', ${hourOf('last_seen')}, ${facts}, count(*) from station group by 1, 2, 3, 4, 5, 6, 7
  union all
  select account_id, 'first', ${hourOf('first_seen')}, null, null, null, null, count(*) from station group by 1, 2, 3;
$$;
revoke execute on function platform.recount_stations() from public;
select platform.recount_stations();
`;
