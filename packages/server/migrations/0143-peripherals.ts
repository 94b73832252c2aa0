export const name = '0143-peripherals';

export const up = `
create table peripheral (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  name text not null,
  type text not null,
  ip inet not null,
  mode text not null check (mode in ('tcp', 'icmp')),
  detect_port integer check (detect_port between 1 and 65535),
  web_port integer check (web_port between 1 and 65535),
  shell_port integer check (shell_port between 1 and 65535),
  created_at timestamptz not null,
  -- by the gateway's probes; null before the first decision
  alive boolean,
  since timestamptz,
  rtt_ms real,
  checked_at timestamptz,
  primary key (account_id, id),
  check ((mode = 'tcp') = (detect_port is not null)),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
) with (fillfactor = 80);
create unique index peripheral_name on peripheral (account_id, gwid, lower(name));
create unique index peripheral_target on peripheral (account_id, gwid, ip, detect_port) nulls not distinct;
select platform.tenant_table('peripheral', 'gwid');

create table peripheral_outage (
  account_id uuid not null,
  peripheral_id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (account_id, peripheral_id, began_at),
  foreign key (account_id, peripheral_id) references peripheral (account_id, id) on delete cascade
);
create unique index peripheral_outage_open on peripheral_outage (account_id, peripheral_id) where ended_at is null;
create index peripheral_outage_began on peripheral_outage (began_at);
select platform.tenant_table('peripheral_outage');

-- probed seconds of a UTC day
create table peripheral_day (
  account_id uuid not null,
  peripheral_id uuid not null,
  day date not null,
  online_s integer not null,
  offline_s integer not null,
  primary key (account_id, peripheral_id, day),
  foreign key (account_id, peripheral_id) references peripheral (account_id, id) on delete cascade
) with (fillfactor = 80);
create index peripheral_day_day on peripheral_day (day);
select platform.tenant_table('peripheral_day');

-- gateways that have a list of targets
create table peripheral_watch (
  account_id uuid not null,
  gwid uuid not null,
  serial text not null,
  primary key (account_id, gwid, serial),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('peripheral_watch', 'gwid');
`;
