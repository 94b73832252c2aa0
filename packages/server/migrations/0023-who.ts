export const name = '0023-who';

const changed = 'insert into station_changed (account_id, mac) select distinct account_id, mac from';

export const up = `
-- terminals of which a place was added, taken away or changed since they were counted. Whoever writes station_open adds
-- rows and waits for nobody. Those that are apart are never counted: they are at places of several networks, or at too many
create table station_changed (
  account_id uuid not null,
  mac text not null,
  id bigint generated always as identity,
  apart boolean not null default false,
  primary key (account_id, mac, id)
);
create index station_changed_fresh on station_changed (id) where not apart;
select platform.tenant_table('station_changed');

-- what a terminal is counted as: the devices that list it, in order, and as what. Bits: 1, 2, 4 on 2.4, 5, 6 GHz; 8 signed in; 16 on the air
create table station_counted (
  account_id uuid not null,
  mac text not null,
  gwid uuid not null,
  serials text[] not null,
  bits integer[] not null,
  primary key (account_id, mac)
) with (fillfactor = 80);
select platform.tenant_table('station_counted', 'gwid');

-- terminals by the devices that list them, to be added up over those that are connected; a row with two or three serials
-- counts while all of them are. Of somebody at two devices the one of both takes away what the two rows of one count twice
create table station_sum (
  account_id uuid not null,
  gwid uuid not null,
  serial text not null,
  other text not null,
  third text not null,
  online integer not null,
  online2g integer not null,
  online5g integer not null,
  online6g integer not null,
  on_air integer not null,
  authenticated integer not null,
  primary key (account_id, gwid, serial, other, third)
) with (fillfactor = 70);
select platform.tenant_table('station_sum', 'gwid');

create function platform.note_stations() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $note$
begin
  ${changed} told;
  return null;
end $note$;
create trigger note_new after insert on station_open
  referencing new table as told for each statement execute function platform.note_stations();
create trigger note_gone after delete on station_open
  referencing old table as told for each statement execute function platform.note_stations();

create function platform.note_station() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $note$
begin
  insert into station_changed (account_id, mac) values (new.account_id, new.mac);
  return null;
end $note$;
-- running totals change nothing of who is there
create trigger note_changed after update on station_open for each row
  when (old.gwid <> new.gwid or old.band <> new.band or old.authenticated <> new.authenticated)
  execute function platform.note_station();

-- has everybody counted anew
create function platform.recount_present() returns void language sql as $$
  delete from station_sum;
  delete from station_counted;
  delete from station_changed;
  insert into station_changed (account_id, mac) select distinct account_id, mac from station_open;
$$;
revoke execute on function platform.recount_present() from public;
select platform.recount_present();
`;
