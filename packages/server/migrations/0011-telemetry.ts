export const name = '0011-telemetry';

export const up = `
-- partitioned by time: which tables, into what, and how long a day is kept
create table platform.partitioned (
  name text primary key,
  unit text not null check (unit in ('day', 'month', 'year')),
  days integer not null check (days between 1 and 36600)
);
grant select, update (days) on platform.partitioned to yunxun_system;
grant select on platform.partitioned to yunxun_app;

-- registers a table that is partitioned by range of a date or timestamptz column
create function platform.partition_by(t text, unit text, keep_days integer) returns void language sql as
  $$ insert into platform.partitioned (name, unit, days) values (t, unit, keep_days) $$;

-- makes the partitions of the days from…to that are missing; says how many. Days are UTC. A partition is made beside its
-- table and then attached, which keeps nobody from reading or writing the table meanwhile
create function platform.make_partitions(t text, first date, last date) returns integer
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
declare
  unit text := (select p.unit from platform.partitioned p where p.name = t);
  lower_bound date := date_trunc(unit, first::timestamp)::date;
  upper_bound date;
  part text;
  made integer := 0;
begin
  if unit is null then
    raise exception 'not a partitioned table: %', t;
  end if;
  while lower_bound <= last loop
    upper_bound := (lower_bound + ('1 ' || unit)::interval)::date;
    part := t || '_' || to_char(lower_bound, 'YYYYMMDD');
    if to_regclass('public.' || part) is null then
      perform pg_advisory_xact_lock(hashtext(part));
      -- asked of the table itself: what the session has cached may be older than the lock
      if not exists (select from pg_class c where c.relname = part and c.relnamespace = 'public'::regnamespace) then
        execute format('create table public.%I (like %I including defaults including storage)', part, t);
        -- reached through the parent and its policies only
        execute format('alter table %I enable row level security', part);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', t, part,
          lower_bound::text || ' 00:00:00+00', upper_bound::text || ' 00:00:00+00');
        made := made + 1;
      end if;
    end if;
    lower_bound := upper_bound;
  end loop;
  return made;
end $$;

-- drops the partitions that end before a day, each whole; says which. Gives up after a while where a long query reads the
-- table: everybody else would wait behind
create function platform.drop_partitions(t text, before date) returns setof text
language plpgsql security definer set search_path = pg_catalog, public, platform set lock_timeout = '2s' as $$
declare
  unit text := (select p.unit from platform.partitioned p where p.name = t);
  part text;
begin
  if unit is null then
    raise exception 'not a partitioned table: %', t;
  end if;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass('public.' || t)
      and to_date(right(c.relname, 8), 'YYYYMMDD') + ('1 ' || unit)::interval <= before
    order by 1
  loop
    execute format('drop table %I', part);
    return next part;
  end loop;
end $$;
revoke execute on function platform.make_partitions(text, date, date), platform.drop_partitions(text, date) from public;
grant execute on function platform.make_partitions(text, date, date), platform.drop_partitions(text, date) to yunxun_system;

-- what telemetry may know of the fleet and of accounts: where a bound device is (zeros while it waits), and whose calendar counts
create view device_place with (security_invoker = true) as
  select d.account_id, d.serial, coalesce(d.gwid, '00000000-0000-0000-0000-000000000000'::uuid) as gwid, a.time_zone
  from device d join account a on a.account_id = d.account_id;
grant select on device_place to yunxun_system;

-- absolute counters of the last committed report of a device: what the next report's flow is counted from
create table device_counters (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  at timestamptz not null,
  uptime_s bigint,
  localtime_s bigint,
  counters jsonb not null,
  primary key (account_id, serial)
) with (fillfactor = 70);
select platform.tenant_table('device_counters');
select platform.narrow_by_device('device_counters');

-- one row a report: levels at that moment, and flow since the report before (bytes). gwid is the network of that time,
-- all zeros while the device waited for one. "down" goes to terminals, "up" comes from them; wan is the uplink's.
create table device_sample (
  account_id uuid not null,
  serial text not null,
  at timestamptz not null,
  gwid uuid not null,
  uptime_s bigint,
  -- seconds since the committed report before; null for the first
  gap_s integer,
  restarted boolean not null,
  cpu real, mem real, load1 real, temperature real,
  wan_down bigint not null, wan_up bigint not null,
  down_2g bigint not null, up_2g bigint not null,
  down_5g bigint not null, up_5g bigint not null,
  down_6g bigint not null, up_6g bigint not null,
  -- terminals at the moment: all, by band, by cable; null where the device did not say
  clients integer, clients_2g integer, clients_5g integer, clients_6g integer, clients_wired integer,
  util_2g real, util_5g real, util_6g real,
  noise_2g real, noise_5g real, noise_6g real,
  -- stations below the weak signal, and the sum and number of signals (dBm)
  weak integer not null, rssi_sum integer not null, rssi_n integer not null,
  -- sum and number of the stations' transmit rates (kbit/s)
  rate_sum bigint not null, rate_n integer not null,
  tx_packets bigint not null, tx_retries bigint not null, tx_failed bigint not null,
  -- time before device: rows of one moment lie together, so that inserts touch few pages
  primary key (account_id, at, serial)
) partition by range (at);
create index device_sample_at on device_sample using brin (at) with (pages_per_range = 16);
select platform.tenant_table('device_sample', 'gwid');
select platform.partition_by('device_sample', 'day', 3);

-- everybody ever seen in an account; what is said of the terminal, and by whom
create table station (
  account_id uuid not null references account on delete cascade,
  mac text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  random_mac boolean not null,
  hostname text,
  terminal_type text, type_source text,
  brand text, brand_source text,
  os text,
  primary key (account_id, mac)
) with (fillfactor = 80);
create index station_seen on station (account_id, last_seen desc);
select platform.tenant_table('station');

-- who is associated (band 2, 5, 6) or wired (0) now, one row a terminal and place; moved to station_session at its end
create table station_open (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  mac text not null,
  bssid text not null,
  gwid uuid not null,
  ssid text,
  band smallint not null,
  port text,
  ip text,
  username text,
  authenticated boolean not null default false,
  started_at timestamptz not null,
  last_at timestamptz not null,
  -- bytes of this session so far, and the absolute counters they were counted from
  down bigint not null default 0, up bigint not null default 0,
  abs_tx bigint, abs_rx bigint,
  rssi smallint, rssi_min smallint, rssi_sum bigint not null default 0, rssi_n integer not null default 0,
  tx_rate integer, rx_rate integer,
  primary key (account_id, serial, mac, bssid)
) with (fillfactor = 70);
create index station_open_mac on station_open (account_id, mac);
create index station_open_network on station_open (account_id, gwid);
select platform.tenant_table('station_open', 'gwid');

-- ended sessions
create table station_session (
  account_id uuid not null,
  mac text not null,
  ended_at timestamptz not null,
  serial text not null,
  bssid text not null,
  started_at timestamptz not null,
  gwid uuid not null,
  ssid text,
  band smallint not null,
  ip text,
  username text,
  authenticated boolean not null,
  down bigint not null, up bigint not null,
  rssi smallint, rssi_min smallint, rssi_sum bigint not null, rssi_n integer not null,
  -- leave: the device said so; roam: seen elsewhere; gone: no longer in its reports; restart: the device restarted; lost: the device went away
  end_reason text not null,
  primary key (account_id, mac, ended_at, serial, bssid)
) partition by range (ended_at);
create index station_session_network on station_session (account_id, gwid, ended_at desc);
select platform.tenant_table('station_session', 'gwid');
select platform.partition_by('station_session', 'day', 90);

-- flow and signal of a terminal by the quarter of an hour
create table station_quarter (
  account_id uuid not null,
  mac text not null,
  bucket timestamptz not null,
  serial text not null,
  gwid uuid not null,
  down bigint not null, up bigint not null,
  rssi_sum bigint not null, rssi_n integer not null,
  primary key (account_id, mac, bucket, serial, gwid)
) partition by range (bucket);
select platform.tenant_table('station_quarter', 'gwid');
select platform.partition_by('station_quarter', 'day', 8);

-- who was there on a day of the account's own calendar, network by network
create table station_day (
  account_id uuid not null,
  day date not null,
  gwid uuid not null,
  mac text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- time present, seconds; flow, bytes
  seconds integer not null,
  -- hours of the account's clock that the terminal was seen in: bit 0 is 0–1 h, bit 23 is 23–24 h
  hours integer not null default 0,
  down bigint not null, up bigint not null,
  sessions integer not null,
  -- never seen in the account before this day
  is_new boolean not null,
  authenticated boolean not null,
  wireless boolean not null,
  primary key (account_id, day, gwid, mac)
) partition by range (day);
select platform.tenant_table('station_day', 'gwid');
select platform.partition_by('station_day', 'day', 400);
`;
