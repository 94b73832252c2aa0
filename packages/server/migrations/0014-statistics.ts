export const name = '0014-statistics';

const parts = ['0_6', '6_11', '11_14', '14_19', '19_24'];

export const up = `
-- who has hidden the business notice of an account; a person may be of another account
create table notice_hidden (
  account_id uuid not null references account on delete cascade,
  person_id uuid not null,
  hidden_at timestamptz not null,
  primary key (account_id, person_id)
);
select platform.tenant_table('notice_hidden');

-- closed days of the account's own calendar by parts of the day, of a network or, with zeros, of the account:
-- bytes through the uplinks, and users who were there
create table model_day (
  account_id uuid not null references account on delete cascade,
  day date not null,
  gwid uuid not null,
  ${parts.map((part) => `flow_${part} bigint not null, users_${part} integer not null,`).join('\n  ')}
  primary key (account_id, day, gwid)
);
select platform.tenant_table('model_day', 'gwid');

-- the days of an account before this one are closed
create table model_progress (
  account_id uuid primary key references account on delete cascade,
  until date not null
);
select platform.tenant_table('model_progress');
`;
