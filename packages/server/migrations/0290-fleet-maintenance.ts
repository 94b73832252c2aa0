export const name = '0290-fleet-maintenance';

export const up = `
-- maintenance that is planned once; the weekly window is network_window
create table network_maintenance (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  begins_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > begins_at),
  note text not null,
  person text not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
create index network_maintenance_network on network_maintenance (account_id, gwid, ends_at);
select platform.tenant_table('network_maintenance', 'gwid');

-- weekly restarts of all access points, of a group, or of all devices of a network
alter table restart_schedule add column scope text not null default 'gateway'
  check (scope in ('gateway', 'aps', 'group', 'all', 'device'));
alter table restart_schedule alter column scope drop default;
-- serial of a device, id of a group, else empty
alter table restart_schedule rename column serial to target;
update restart_schedule set scope = 'device' where target <> '';
alter table restart_schedule drop constraint restart_schedule_pkey;
alter table restart_schedule add primary key (account_id, gwid, scope, target);
`;
