export const name = '0001-core';

export const up = `
-- scope of a request, set by withTenant for one transaction
create function platform.account() returns uuid language sql stable as
  $$ select nullif(current_setting('yunxun.account', true), '')::uuid $$;
create function platform.networks() returns uuid[] language sql stable as
  $$ select nullif(current_setting('yunxun.gwids', true), '')::uuid[] $$;

-- makes a tenant table: row security by account (and by network where a grant narrows), grants for both program roles
create function platform.tenant_table(t text, gwid_column text default null) returns void language plpgsql as $$
declare
  visible text := 'account_id = (select platform.account())';
begin
  if gwid_column is not null then
    visible := visible || format(' and ((select platform.networks()) is null or %I = any ((select platform.networks())::uuid[]))', gwid_column);
  end if;
  execute format('alter table %I enable row level security', t);
  execute format('create policy tenant on %I to yunxun_app using (%s) with check (%s)', t, visible, visible);
  execute format('create policy program on %I to yunxun_system using (true) with check (true)', t);
  execute format('grant select, insert, update, delete on %I to yunxun_app, yunxun_system', t);
end $$;

-- makes a directory or installation table (a closed list, see catalog.test.ts): only the system role touches it
create function platform.directory_table(t text) returns void language plpgsql as $$
begin
  execute format('grant select, insert, update, delete on %I to yunxun_system', t);
end $$;

grant usage on schema platform, public to yunxun_app, yunxun_system;
grant execute on function platform.account(), platform.networks() to yunxun_app, yunxun_system;
revoke create on schema public from public;

-- accounts and people
create table account (
  account_id uuid primary key,
  name text not null,
  binding_code text not null,
  time_zone text not null default 'Asia/Shanghai',
  sdwan_status boolean not null default true,
  created_at timestamptz not null default now()
);
select platform.tenant_table('account');

create table person (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  email text,
  mobile text,
  password_hash text,
  qq text not null default '',
  theme text not null default 'light',
  home_section text not null default 'revenue',
  locale text not null default 'zh-CN',
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
select platform.tenant_table('person');

create table member (
  account_id uuid not null references account on delete cascade,
  person_id uuid not null,
  role text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, person_id)
);
select platform.tenant_table('member');

-- networks of account_id hosted to another account
create table hosting_grant (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  grantee_account_id uuid not null,
  permissions text[] not null,
  gwids uuid[],
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (account_id, id)
);
create index hosting_grant_grantee on hosting_grant (grantee_account_id) where revoked_at is null;
select platform.tenant_table('hosting_grant');

create table user_session (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  person_id uuid not null,
  token_hash bytea not null,
  ip text,
  user_agent text,
  sliding_seconds integer not null,
  created_at timestamptz not null default now(),
  last_active_at timestamptz not null default now(),
  primary key (account_id, id)
);
create index user_session_person on user_session (account_id, person_id);
select platform.tenant_table('user_session');

-- directory: what must be unique across accounts
create table login_directory (
  kind text not null,
  value text not null,
  account_id uuid not null references account on delete cascade,
  person_id uuid not null,
  primary key (kind, value)
);
select platform.directory_table('login_directory');

create table token_directory (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  person_id uuid not null,
  session_id uuid not null,
  expires_at timestamptz not null
);
create index token_directory_expiry on token_directory (expires_at);
select platform.directory_table('token_directory');

create table binding_directory (
  code text primary key,
  account_id uuid not null references account on delete cascade
);
select platform.directory_table('binding_directory');

-- installation: before any account, or about all of them
create table installation (
  key text primary key,
  value jsonb not null
);
select platform.directory_table('installation');

create table verification_code (
  channel text not null,
  target text not null,
  purpose text not null,
  code_hash bytea not null,
  attempts integer not null default 0,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (channel, target, purpose)
);
select platform.directory_table('verification_code');

create table throttle (
  key text primary key,
  count integer not null,
  expires_at timestamptz not null
);
create index throttle_expiry on throttle (expires_at);
select platform.directory_table('throttle');

create table outbox_message (
  id uuid primary key,
  account_id uuid,
  channel text not null,
  recipient text not null,
  template text not null,
  params jsonb not null,
  body text not null,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index outbox_message_waiting on outbox_message (created_at) where sent_at is null;
select platform.directory_table('outbox_message');

-- per-account data key, wrapped by the master key
create table account_key (
  account_id uuid primary key references account on delete cascade,
  wrapped bytea not null
);
select platform.tenant_table('account_key');

-- the operation log: append-only, hash-chained per account
create table operation_log_head (
  account_id uuid primary key references account on delete cascade,
  seq bigint not null,
  hash bytea not null
);
select platform.tenant_table('operation_log_head');

create table operation_log (
  account_id uuid not null,
  seq bigint not null,
  at timestamptz not null,
  person_id uuid,
  operator text not null,
  operator_account_id uuid,
  source text not null,
  ip text,
  action text not null,
  object_type text not null,
  object_id text not null,
  object_name text not null,
  gwid uuid,
  result text not null,
  before jsonb,
  after jsonb,
  inverse jsonb,
  job_id uuid,
  prev_hash bytea not null,
  hash bytea not null,
  primary key (account_id, seq)
);
create index operation_log_time on operation_log (account_id, at desc);
create index operation_log_object on operation_log (account_id, object_type, object_id, seq desc);
select platform.tenant_table('operation_log');
revoke update, delete on operation_log from yunxun_app, yunxun_system;

create table sign_in_log (
  account_id uuid not null,
  id uuid not null,
  at timestamptz not null default now(),
  person_id uuid,
  login text not null,
  action text not null,
  method text not null,
  ip text,
  user_agent text,
  result text not null,
  reason text,
  primary key (account_id, id)
);
create index sign_in_log_time on sign_in_log (account_id, at desc);
select platform.tenant_table('sign_in_log');
revoke update, delete on sign_in_log from yunxun_app, yunxun_system;

-- long work
create table job (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  type text not null,
  status text not null,
  total integer not null,
  params jsonb not null,
  created_by uuid,
  operator text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (account_id, id)
);
create index job_time on job (account_id, created_at desc);
create index job_open on job (status) where finished_at is null;
select platform.tenant_table('job');

create table job_item (
  account_id uuid not null,
  job_id uuid not null,
  seq integer not null,
  serial text,
  gwid uuid,
  name text not null,
  status text not null,
  reason text,
  detail jsonb,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (account_id, job_id, seq),
  foreign key (account_id, job_id) references job on delete cascade
);
create index job_item_device on job_item (account_id, serial) where finished_at is null;
select platform.tenant_table('job_item');

create table message (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  type text not null,
  template text not null,
  params jsonb not null,
  link text,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  primary key (account_id, id)
);
create index message_time on message (account_id, created_at desc);
select platform.tenant_table('message');
`;
