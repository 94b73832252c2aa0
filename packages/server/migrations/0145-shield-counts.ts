export const name = '0145-shield-counts';

/** DNS queries that gateways have refused, or would have, by hour; and the last batch of each gateway. */
export const up = `
create table shield_count (
  account_id uuid not null,
  gwid uuid not null,
  at timestamptz not null,
  domain text not null,
  mac text not null,
  category text not null,
  blocked boolean not null,
  queries bigint not null,
  primary key (account_id, gwid, at, domain, mac, category, blocked),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
create index shield_count_at on shield_count (at);
select platform.tenant_table('shield_count', 'gwid');

create table shield_taken (
  account_id uuid not null,
  gwid uuid not null,
  serial text not null,
  batch text not null,
  primary key (account_id, gwid, serial),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('shield_taken', 'gwid');
`;
