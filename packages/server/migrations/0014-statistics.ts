export const name = '0014-statistics';

export const up = `
-- who has hidden the business notice of an account; a person may be of another account
create table notice_hidden (
  account_id uuid not null references account on delete cascade,
  person_id uuid not null,
  hidden_at timestamptz not null,
  primary key (account_id, person_id)
);
select platform.tenant_table('notice_hidden');

-- bytes through the uplinks on closed days of the account's own calendar, by part of the day; of a network or, with
-- zeros, of the account. What several uplinks carry is in it once
create table uplink_day (
  account_id uuid not null references account on delete cascade,
  day date not null,
  gwid uuid not null,
  flow_0_6 bigint not null,
  flow_6_11 bigint not null,
  flow_11_14 bigint not null,
  flow_14_19 bigint not null,
  flow_19_24 bigint not null,
  primary key (account_id, day, gwid)
);
select platform.tenant_table('uplink_day', 'gwid');

-- the days of an account before this one are closed
create table uplink_progress (
  account_id uuid primary key references account on delete cascade,
  until date not null
);
select platform.tenant_table('uplink_progress');
`;
