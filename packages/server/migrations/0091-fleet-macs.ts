export const name = '0091-fleet-macs';

/** Further device addresses from capabilities: own equipment is no client. */
export const up = `
create table device_mac (
  account_id uuid not null,
  mac text not null,
  serial text not null,
  primary key (account_id, mac, serial),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
create index device_mac_device on device_mac (account_id, serial);
select platform.tenant_table('device_mac');
select platform.narrow_by_device('device_mac');

-- what ingest asks: the addresses of an account's devices
create view equipment_mac with (security_invoker = true) as
  select account_id, serial as mac from device union all select account_id, mac from device_mac;
grant select on equipment_mac to yunxun_system;

-- clients of devices that wait for a network are written no longer
delete from station_open where gwid = '00000000-0000-0000-0000-000000000000';
`;
