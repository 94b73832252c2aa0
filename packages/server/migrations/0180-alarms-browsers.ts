export const name = '0180-alarms-browsers';

/** Browsers that show alarms to a person (Web Push). */
export const up = `
create table alarm_browser (
  account_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  name text not null,
  -- SHA-256 of the endpoint, which is a secret
  fingerprint bytea not null,
  -- endpoint and keys, under the account's key
  sealed bytea not null,
  created_at timestamptz not null,
  last_at timestamptz,
  -- null: the latest message was delivered
  last_error text,
  primary key (account_id, id),
  unique (account_id, fingerprint),
  foreign key (account_id, person_id) references person (account_id, id) on delete cascade
);
create index alarm_browser_person on alarm_browser (person_id);
create index alarm_browser_fingerprint on alarm_browser (fingerprint);
select platform.tenant_table('alarm_browser');
`;
