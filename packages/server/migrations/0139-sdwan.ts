export const name = '0139-sdwan';

/** SD-WAN: networks, nodes, groups, link strategies and orders. */
export const up = `
create table sdwan_strategy (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  probe_ms integer not null,
  fails integer not null,
  recovers integer not null,
  hold_s integer not null,
  "order" text not null check ("order" in ('preferred', 'latency')),
  primary key (account_id, id)
);
create unique index sdwan_strategy_name on sdwan_strategy (account_id, lower(name));
select platform.tenant_table('sdwan_strategy');

create table sdwan_network (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  -- 1 peer, 2 star, 3 tree
  type smallint not null check (type between 1 and 3),
  mode text not null check (mode in ('vertical', 'breakpoint', 'transit')),
  strategy_id uuid,
  created_at timestamptz not null,
  deployed_at timestamptz,
  -- newest push
  job_id uuid,
  primary key (account_id, id),
  foreign key (account_id, strategy_id) references sdwan_strategy (account_id, id)
);
create unique index sdwan_network_name on sdwan_network (account_id, lower(name));
create index sdwan_network_strategy on sdwan_network (account_id, strategy_id);
select platform.tenant_table('sdwan_network');

create table sdwan_group (
  account_id uuid not null,
  id uuid not null,
  network_id uuid not null,
  name text not null,
  -- Mbit/s of each member; 0: no limit
  widthband integer not null,
  foreign_widthband integer not null,
  primary key (account_id, id),
  foreign key (account_id, network_id) references sdwan_network (account_id, id) on delete cascade
);
create unique index sdwan_group_name on sdwan_group (account_id, network_id, lower(name));
select platform.tenant_table('sdwan_group');

create table sdwan_node (
  account_id uuid not null,
  network_id uuid not null,
  gwid uuid not null,
  role text not null check (role in ('main', 'bak', '')),
  pid text not null,
  position integer not null,
  widthband integer not null,
  foreign_widthband integer not null,
  host text,
  group_id uuid,
  lans jsonb not null,
  -- overlay address: this many after 100.64.0.0
  address integer not null,
  -- position among the SD-WAN networks of the gateway: names and ports of its interfaces
  slot smallint not null check (slot between 0 and 3),
  -- what the gateway runs or will run; null: nothing
  document jsonb,
  primary key (account_id, network_id, gwid),
  unique (account_id, address),
  unique (account_id, gwid, slot),
  foreign key (account_id, network_id) references sdwan_network (account_id, id) on delete cascade,
  foreign key (account_id, group_id) references sdwan_group (account_id, id),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
create index sdwan_node_group on sdwan_node (account_id, group_id);
select platform.tenant_table('sdwan_node', 'gwid');

create table sdwan_order (
  account_id uuid not null,
  order_no text not null,
  id uuid not null,
  kind text not null check (kind in ('trial', 'package', 'renewal')),
  package_id text,
  name text not null,
  nodes integer not null,
  widthband integer not null,
  foreign_widthband integer not null,
  months integer not null,
  amount_fen bigint not null check (amount_fen >= 0),
  status text not null check (status in ('incomplete', 'completed')),
  created_at timestamptz not null,
  completed_at timestamptz,
  valid_from timestamptz,
  valid_until timestamptz,
  -- set when the tunnels were taken down after the grace
  closed_at timestamptz,
  primary key (account_id, order_no)
);
create unique index sdwan_order_trial on sdwan_order (account_id) where kind = 'trial';
create index sdwan_order_until on sdwan_order (valid_until) where closed_at is null and status = 'completed';
select platform.tenant_table('sdwan_order');
`;
