export const name = '0162-alarms-calm';

/** Devices that share an uplink and went offline together, and silences of whole networks. */
export const up = `
-- who was behind a port or a switch when it was lost: tables of MAC addresses forget soon
create table alarm_uplink (
  account_id uuid not null,
  gwid uuid not null,
  -- managed device above; empty for unmanaged equipment
  parent text not null,
  -- its port, or the name of the unmanaged equipment; empty for a whole switch
  part text not null,
  members text[] not null,
  lost_at timestamptz not null,
  primary key (account_id, gwid, parent, part),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('alarm_uplink', 'gwid');

-- alarms of a network that are silenced until a time, whenever they open
create table alarm_site_silence (
  account_id uuid not null,
  gwid uuid not null,
  until timestamptz not null,
  note text not null,
  person text not null,
  created_at timestamptz not null,
  primary key (account_id, gwid),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
create index alarm_site_silence_until on alarm_site_silence (until);
select platform.tenant_table('alarm_site_silence', 'gwid');

-- messages about alarms have a type of their own
update message set type = 'alarm' where template = 'alarmNotice';
`;
