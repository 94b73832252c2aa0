export const name = '0045-fleet-lists';

export const up = `
-- a name for what a list is narrowed and ordered by: a person's own, or shared with everybody in the account
create table saved_view (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  person_id uuid not null,
  list text not null,
  name text not null,
  search jsonb not null,
  shared boolean not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index saved_view_name on saved_view (account_id, person_id, list, name);
select platform.tenant_table('saved_view');

-- a group of devices, over networks; a device is in one at most, so that it is plain whose settings come first
create table ap_group (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index ap_group_name on ap_group (account_id, name);
select platform.tenant_table('ap_group');


alter table device add column tags text[] not null default '{}';
alter table device add column group_id uuid;
alter table device add foreign key (account_id, group_id) references ap_group (account_id, id);
create index device_group on device (account_id, group_id) where group_id is not null;

-- a group spans networks: who may see some of them sees the groups of their devices, and changes none
drop policy tenant on ap_group;
create policy tenant on ap_group to yunxun_app
  using (account_id = (select platform.account()) and ((select platform.networks()) is null
    or id in (select d.group_id from device d where d.account_id = (select platform.account()) and d.group_id is not null)))
  with check (account_id = (select platform.account()) and (select platform.networks()) is null);

-- when work on a network hurts nobody: on some days of the week (1 is Monday), from a minute of the day on, in the account's zone
create table network_window (
  account_id uuid not null references account on delete cascade,
  gwid uuid not null,
  weekdays smallint[] not null,
  start_minute integer not null,
  minutes integer not null,
  primary key (account_id, gwid),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('network_window', 'gwid');
`;
