export const name = '0090-fleet-outages';

/** One row per device outage, written at its return (fleet/outages). */
export const up = `
create table device_outage (
  account_id uuid not null,
  serial text not null,
  began_at timestamptz not null,
  ended_at timestamptz not null check (ended_at > began_at),
  -- power, link, console, planned, unknown
  cause text not null,
  -- why the device started, by its own word; null for a plain reconnect
  boot_reason text,
  primary key (account_id, serial, began_at),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
-- what was out in a night, over all devices of an account
create index device_outage_ended on device_outage (account_id, ended_at);
-- the clean-up of rows past their keep
create index device_outage_age on device_outage using brin (ended_at);
select platform.tenant_table('device_outage');
select platform.narrow_by_device('device_outage');

-- the outage that still lasts is the device's own row: since offline_since, and what is known of its cause (console, planned)
alter table device add column offline_cause text;
`;
