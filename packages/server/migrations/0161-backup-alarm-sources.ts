export const name = '0161-backup-alarm-sources';

/** What the alarms read of backups, ports, events and certificates. */
export const up = `
-- networks whose scheduled backup was not made
create table missed_backup (
  account_id uuid not null,
  gwid uuid not null,
  -- the time at which it was due
  since timestamptz not null,
  primary key (account_id, gwid),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('missed_backup', 'gwid');

-- by port: the highest speed of the last 30 days above 100 Mbit/s, and the last day on which the port had it
alter table device_latest add column port_speeds jsonb;

-- crashes and changed SD-WAN paths are read every minute
create index device_event_alarming on device_event (account_id, serial, at)
  where type in ('crashlog', 'rebootLog', 'sdwan.path');
create index device_certificate_expiry on device_certificate (expires_at) where revoked_at is null;
`;
