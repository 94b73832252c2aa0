export const name = '0094-alarms';

export const up = `
-- what an account changed of a built-in rule; a kind without a row has the built-in values
create table alarm_rule (
  account_id uuid not null references account on delete cascade,
  kind text not null,
  enabled boolean not null,
  level text not null check (level in ('FATAL', 'MIDDLE', 'GENERAL')),
  tolerance_s integer not null check (tolerance_s between 0 and 86400),
  threshold real,
  scope text not null check (scope in ('all', 'networks', 'groups')),
  -- networks or groups
  scope_ids uuid[] not null,
  primary key (account_id, kind)
);
select platform.tenant_table('alarm_rule');

-- incidents
create table alarm (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  level text not null check (level in ('FATAL', 'MIDDLE', 'GENERAL')),
  state text not null check (state in ('firing', 'acknowledged', 'silenced', 'recovered')),
  gwid uuid not null,
  -- null: it is about the network
  serial text,
  -- the WAN interface of a lost WAN; else empty
  part text not null,
  subject text not null generated always as (coalesce(serial, gwid::text) || ' ' || part) stored,
  -- names when it was opened, for the search
  name text not null,
  network text not null,
  began_at timestamptz not null,
  -- begin of the latest occurrence
  last_at timestamptz not null,
  recovered_at timestamptz,
  -- a person closed it and the problem lasts
  lasts boolean not null default false,
  count integer not null,
  value real,
  threshold real,
  -- clients of its own device; of all that it caused
  clients integer,
  clients_hit integer,
  devices_hit integer not null,
  cause_id uuid,
  acknowledged_at timestamptz,
  acknowledged_by text,
  note text not null default '',
  assignee_id uuid,
  assignee_name text,
  silenced_until timestamptz,
  primary key (account_id, id),
  check ((state = 'recovered') = (recovered_at is not null)),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade,
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
) with (fillfactor = 80);
-- one open incident of a rule and a subject
create unique index alarm_open on alarm (account_id, kind, subject) where state <> 'recovered';
create index alarm_listed on alarm (account_id, began_at desc, id) where cause_id is null;
create index alarm_caused on alarm (account_id, cause_id) where cause_id is not null;
create index alarm_network on alarm (account_id, gwid);
create index alarm_serial on alarm (account_id, serial);
-- what the evaluation reads of all accounts: open incidents, and those that have just recovered
create index alarm_unrecovered on alarm (account_id) where state <> 'recovered' or lasts;
create index alarm_recovered on alarm (recovered_at) where recovered_at is not null;
select platform.tenant_table('alarm', 'gwid');

create table alarm_event (
  account_id uuid not null,
  id uuid not null,
  alarm_id uuid not null,
  at timestamptz not null,
  type text not null,
  -- null: the console itself
  person text,
  note text,
  until timestamptz,
  primary key (account_id, id),
  foreign key (account_id, alarm_id) references alarm (account_id, id) on delete cascade
);
create index alarm_event_time on alarm_event (account_id, alarm_id, at desc, id desc);
select platform.tenant_table('alarm_event');
-- narrowed by the alarm, whose own policy knows the network
drop policy tenant on alarm_event;
create policy tenant on alarm_event to yunxun_app
  using (account_id = (select platform.account()) and exists (
    select from alarm a where a.account_id = alarm_event.account_id and a.id = alarm_event.alarm_id))
  with check (account_id = (select platform.account()) and exists (
    select from alarm a where a.account_id = alarm_event.account_id and a.id = alarm_event.alarm_id));

-- since when a measured problem lasts that no source dates
create table alarm_pending (
  account_id uuid not null,
  kind text not null,
  serial text not null,
  part text not null,
  since timestamptz not null,
  primary key (account_id, kind, serial, part),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
select platform.tenant_table('alarm_pending');
select platform.narrow_by_device('alarm_pending');
`;
