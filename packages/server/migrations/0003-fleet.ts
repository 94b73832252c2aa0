export const name = '0003-fleet';

export const up = `
-- a network: its id is its own, a router in it can be replaced
create table network (
  account_id uuid not null references account on delete cascade,
  gwid uuid not null,
  remark text not null,
  tags text[] not null default '{}',
  gateway_serial text,
  created_at timestamptz not null default now(),
  primary key (account_id, gwid)
);
create index network_remark on network (account_id, remark, gwid);
create index network_created on network (account_id, created_at, gwid);
create index network_gateway on network (account_id, gateway_serial) where gateway_serial is not null;
select platform.tenant_table('network', 'gwid');

-- a bound device; without a network it waits
create table device (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  gwid uuid,
  kind text not null,
  routes boolean not null default false,
  remark text not null,
  model text,
  compatible text,
  platform text,
  firmware text,
  capabilities jsonb,
  public_address text,
  bound_at timestamptz not null,
  first_seen timestamptz,
  last_seen timestamptz,
  epoch bigint not null default 0,
  online boolean not null default false,
  online_since timestamptz,
  offline_since timestamptz,
  restarting_since timestamptz,
  restart_reason text,
  sync_state text,
  sync_since timestamptz,
  sync_reason text,
  primary key (account_id, serial),
  foreign key (account_id, gwid) references network (account_id, gwid)
) with (fillfactor = 80);
create index device_network on device (account_id, gwid, kind);
create index device_waiting on device (account_id, bound_at) where gwid is null;
create index device_remark on device (account_id, remark, serial);
create index device_address on device (account_id, public_address) where public_address is not null;
select platform.tenant_table('device', 'gwid');

-- presence as a word, from the facts of a device row; 1 online 2 restarting 3 unknown 4 offline 5 never connected
create function platform.presence(online boolean, restarting_since timestamptz, last_seen timestamptz, first_seen timestamptz, at timestamptz)
returns integer language sql immutable parallel safe as $$
  select case
    when restarting_since is not null and at < restarting_since + interval '10 minutes' then 2
    when online and last_seen > at - interval '5 minutes' then 1
    when online then 3
    when first_seen is null then 5
    else 4
  end
$$;

-- what devices told of themselves; kept for a while (fleet/retention.ts)
create table device_event (
  account_id uuid not null,
  serial text not null,
  id uuid not null,
  at timestamptz not null,
  type text not null,
  payload jsonb not null,
  primary key (account_id, serial, id),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
create index device_event_age on device_event using brin (at);
select platform.tenant_table('device_event');
`;
