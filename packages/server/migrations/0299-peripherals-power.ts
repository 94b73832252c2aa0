export const name = '0299-peripherals-power';

export const up = `
-- when the console last restarted its PoE
alter table reported_port add column power_cycled_at timestamptz;

-- rule of a network: restart the PoE of peripheral devices of these types once an outage
create table peripheral_power (
  account_id uuid not null,
  gwid uuid not null,
  enabled boolean not null,
  types text[] not null,
  -- earlier outages are left alone
  since timestamptz not null,
  version integer not null,
  primary key (account_id, gwid),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('peripheral_power', 'gwid');

-- last known switch port: MAC tables forget a device without power
create table peripheral_port (
  account_id uuid not null,
  peripheral_id uuid not null,
  mac text not null,
  switch_serial text not null,
  port text not null,
  seen_at timestamptz not null,
  primary key (account_id, peripheral_id),
  foreign key (account_id, peripheral_id) references peripheral (account_id, id) on delete cascade
) with (fillfactor = 80);
create index peripheral_port_switch on peripheral_port (account_id, switch_serial);
select platform.tenant_table('peripheral_port');

create table peripheral_power_cycle (
  account_id uuid not null,
  peripheral_id uuid not null,
  -- of the outage
  began_at timestamptz not null,
  state text not null check (state in ('waiting', 'cycled', 'returned', 'failed', 'skipped')),
  reason text,
  seen_at timestamptz not null,
  switch_serial text,
  port text,
  cycled_at timestamptz,
  returned_at timestamptz,
  job_id uuid,
  primary key (account_id, peripheral_id, began_at),
  foreign key (account_id, peripheral_id, began_at)
    references peripheral_outage (account_id, peripheral_id, began_at) on delete cascade
) with (fillfactor = 80);
create index peripheral_power_cycle_open on peripheral_power_cycle (state) where state in ('waiting', 'cycled');
create index peripheral_power_cycle_port on peripheral_power_cycle (account_id, switch_serial, port, cycled_at);
select platform.tenant_table('peripheral_power_cycle');
`;
