export const name = '0007-configuration-reach';

export const up = `
-- the most dBm that a device's radios of a band were seen to reach when they were asked for more
create table radio_reach (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  band text not null,
  dbm smallint not null,
  primary key (account_id, serial, band),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
select platform.tenant_table('radio_reach');
select platform.narrow_by_device('radio_reach');
`;
