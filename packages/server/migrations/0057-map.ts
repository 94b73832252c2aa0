export const name = '0057-map';

export const up = `
-- where a network is (WGS 84, degrees); it goes with the network
create table network_place (
  account_id uuid not null references account on delete cascade,
  gwid uuid not null,
  lat double precision not null check (lat between -85 and 85),
  lng double precision not null check (lng between -180 and 180),
  address text not null default '',
  primary key (account_id, gwid),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('network_place', 'gwid');
`;
