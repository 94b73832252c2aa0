export const name = '0077-configuration-switch-ports';

export const up = `
-- ports of switches by their own reports: a document for a switch names the speed and duplex of every port.
-- speed in Mbit/s, as last seen while the port was up; null: nothing was ever plugged in
create table reported_port (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  name text not null,
  speed integer,
  top_speed integer,
  duplex text,
  poe boolean not null,
  primary key (account_id, serial, name),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
select platform.tenant_table('reported_port');
select platform.narrow_by_device('reported_port');

-- ports of the report before the latest, with their byte counters: rates are counted from both
alter table device_latest add column earlier_ports jsonb, add column earlier_ports_at timestamptz;
`;
