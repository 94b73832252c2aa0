export const name = '0245-alarms-account';

export const up = `
-- alarms of the account: without a network
drop index alarm_open;
alter table alarm
  drop column subject,
  alter column gwid drop not null,
  add check (gwid is not null or serial is null);
alter table alarm
  add column subject text not null generated always as (coalesce(serial, gwid::text, '') || ' ' || part) stored;
create unique index alarm_open on alarm (account_id, kind, subject) where state <> 'recovered';

alter table alarm_pending drop constraint alarm_pending_pkey;
alter table alarm_pending drop constraint alarm_pending_check;
alter table alarm_pending drop column subject;
alter table alarm_pending
  add column subject text not null generated always as (coalesce(serial, gwid::text, '')) stored,
  add check (serial is null or gwid is null),
  add primary key (account_id, kind, subject, part);

-- file systems of the console, by process host
create table platform.console_disk (
  host text not null,
  folder text not null,
  used_percent real not null,
  at timestamptz not null,
  primary key (host, folder)
);
grant select, insert, update, delete on platform.console_disk to yunxun_system;
`;
