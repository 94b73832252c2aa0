export const name = '0027-known-terminals';

const hourOf = (time: string) => `date_bin('1 hour', ${time}, 'epoch')`;

export const up = `
-- tables that are not partitioned: how many days a row is kept after it was last of use
create table platform.kept (
  name text primary key,
  days integer not null check (days between 1 and 36600)
);
grant select, update (days) on platform.kept to yunxun_system;
grant select on platform.kept to yunxun_app;
insert into platform.kept (name, days) values ('station', 400);

-- terminals that are forgotten are counted no longer (see count_new_stations)
create function platform.count_gone_stations() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $count$
begin
  insert into station_part (account_id, kind, at, terminal_type, brand, os, random_mac, terminals)
  select s.account_id, 'seen', ${hourOf('last_seen')}, terminal_type, brand, os, random_mac, -count(*)
  from gone s join account using (account_id) group by 1, 2, 3, 4, 5, 6, 7
  union all
  select s.account_id, 'first', ${hourOf('first_seen')}, null, null, null, null, -count(*)
  from gone s join account using (account_id) group by 1, 2, 3;
  return null;
end $count$;
create trigger count_gone after delete on station
  referencing old table as gone for each statement execute function platform.count_gone_stations();
`;
