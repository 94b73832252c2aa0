export const name = '0044-passwords';

export const up = `
-- when and how the key of an SSID is changed by itself, in which networks
create table password_rule (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  name text not null,
  ssid text not null,
  gwids uuid[] not null,
  rule jsonb not null,
  paused boolean not null,
  next_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, id)
);
create unique index password_rule_name on password_rule (account_id, lower(name));
create index password_rule_due on password_rule (account_id, next_at) where not paused;
select platform.tenant_table('password_rule');

-- the keys it made, sealed; the one without an end is in force
create table password_key (
  account_id uuid not null references account on delete cascade,
  rule_id uuid not null,
  seq integer not null,
  sealed bytea not null,
  valid_from timestamptz not null,
  valid_to timestamptz,
  job_id uuid,
  cause text not null,
  made_by text not null,
  primary key (account_id, rule_id, seq),
  foreign key (account_id, rule_id) references password_rule (account_id, id) on delete cascade
);
select platform.tenant_table('password_key');
`;
