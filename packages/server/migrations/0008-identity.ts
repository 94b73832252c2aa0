export const name = '0008-identity';

export const up = `
alter table account add column locked_at timestamptz;

alter table person
  add column name text not null default '',
  add column administers boolean not null default false,
  add column density text not null default 'comfortable',
  add column time_zone text,
  add column page_size integer not null default 10,
  add column password_changed_at timestamptz,
  add column withdrawal_hash text,
  add column totp_sealed bytea,
  add column totp_pending_sealed bytea,
  add column totp_enabled_at timestamptz,
  add column totp_last_step bigint;
update person set password_changed_at = created_at where password_hash is not null;
update person set administers = true
  where id::text = (select value->>'person_id' from installation where key = 'administrator');
delete from installation where key = 'administrator';

-- a member may be a person of another account, and be limited to some networks
alter table member
  add column person_account_id uuid,
  add column gwids uuid[],
  add column last_active_at timestamptz;
update member set person_account_id = account_id;
alter table member alter column person_account_id set not null;
create index member_person on member (person_account_id, person_id);

alter table hosting_grant add column last_used_at timestamptz;
create unique index hosting_grant_live on hosting_grant (account_id, grantee_account_id) where revoked_at is null;

create table invitation (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  login text not null,
  role text not null,
  gwids uuid[],
  token_hash bytea not null,
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (account_id, id)
);
create index invitation_token on invitation (token_hash);
create index invitation_login on invitation (login) where accepted_at is null and revoked_at is null;
select platform.tenant_table('invitation');

alter table user_session
  add column method text not null default 'password',
  add column confirmed_at timestamptz,
  add column mobile_checked_at timestamptz;

-- session_id of a token of kind 'api' is the id of the api_token
alter table token_directory add column kind text not null default 'session';

create table api_token (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  person_id uuid not null,
  name text not null,
  scope text not null,
  areas text[],
  gwids uuid[],
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_ip text,
  primary key (account_id, id),
  foreign key (account_id, person_id) references person (account_id, id) on delete cascade
);
select platform.tenant_table('api_token');

create table passkey (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  person_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, person_id) references person (account_id, id) on delete cascade
);
select platform.tenant_table('passkey');

-- directory: whose a passkey is, before anybody is signed in
create table passkey_directory (
  credential_id bytea primary key,
  account_id uuid not null references account on delete cascade,
  passkey_id uuid not null
);
select platform.directory_table('passkey_directory');

create table recovery_code (
  account_id uuid not null references account on delete cascade,
  person_id uuid not null,
  code_hash bytea not null,
  salt bytea not null,
  primary key (account_id, person_id, code_hash),
  foreign key (account_id, person_id) references person (account_id, id) on delete cascade
);
select platform.tenant_table('recovery_code');

-- before sign-in: a step of it that waits for the next, under a token of its own
create table sign_in_ticket (
  token_hash bytea primary key,
  kind text not null,
  account_id uuid references account on delete cascade,
  person_id uuid,
  method text,
  remember boolean not null default false,
  challenge text,
  attempts integer not null default 0,
  expires_at timestamptz not null
);
create index sign_in_ticket_expiry on sign_in_ticket (expires_at);
select platform.directory_table('sign_in_ticket');

-- before sign-in: qruuid is known to the page that shows the code, the token behind code_hash to the phone that reads it
create table qr_login (
  qruuid uuid primary key,
  code_hash bytea not null,
  ip text not null,
  user_agent text not null,
  state text not null default 'waiting',
  account_id uuid references account on delete cascade,
  person_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index qr_login_code on qr_login (code_hash);
create index qr_login_expiry on qr_login (expires_at);
select platform.directory_table('qr_login');

create table password_reset (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  person_id uuid not null,
  login text not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, person_id) references person (account_id, id) on delete cascade
);
create index password_reset_token on password_reset (token_hash);
select platform.tenant_table('password_reset');

-- where a person has signed in from
create table known_place (
  account_id uuid not null references account on delete cascade,
  person_id uuid not null,
  place text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (account_id, person_id, place),
  foreign key (account_id, person_id) references person (account_id, id) on delete cascade
);
select platform.tenant_table('known_place');

alter table sign_in_log add column new_place boolean not null default false;
create index sign_in_log_person on sign_in_log (account_id, person_id, at desc);

-- the inbox: a message to one person, or to all who work in the account; what is read or deleted is each person's own
alter table message drop column read_at, add column gwid uuid, add column person_id uuid;
create index message_age on message (created_at);
create table message_mark (
  account_id uuid not null,
  message_id uuid not null,
  person_id uuid not null,
  read_at timestamptz,
  deleted_at timestamptz,
  primary key (account_id, message_id, person_id),
  foreign key (account_id, message_id) references message (account_id, id) on delete cascade
);
select platform.tenant_table('message_mark');

-- one-time addresses of files; bearer_hash: whose rights are asked again when the file is fetched
create table download (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  bearer_hash bytea not null,
  view_as text,
  locale text not null,
  kind text not null,
  params jsonb not null,
  expires_at timestamptz not null
);
create index download_expiry on download (expires_at);
select platform.directory_table('download');

alter table operation_log add column token_name text, add column undoes bigint;
create index operation_log_undone on operation_log (account_id, undoes) where undoes is not null;

-- whether an operation has an inverse, and the object is still as it left it: nothing that changed the object was logged
-- since, nor that it was undone. Also for somebody who sees only some networks. What has neither a value before nor an
-- inverse is a command or a creation, after which the object is as before.
create function platform.undoable(account uuid, operation bigint) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from operation_log o
    where o.account_id = $1 and o.seq = $2 and o.inverse is not null and o.result = 'success'
      and (platform.account() is null or platform.account() = $1)
      and not exists (select from operation_log n
        where n.account_id = o.account_id and n.object_type = o.object_type and n.object_id = o.object_id
          and n.seq > o.seq and n.result = 'success' and (n.before is not null or n.inverse is not null))
      and not exists (select from operation_log u
        where u.account_id = o.account_id and u.undoes = o.seq and u.result = 'success'))
$$;

-- a grant for some networks narrows logs, jobs and messages too
create function platform.narrow_by_network(t text) returns void language plpgsql as $$
declare
  account text := 'account_id = (select platform.account())';
  visible text := account || ' and ((select platform.networks()) is null or gwid = any ((select platform.networks())::uuid[]))';
begin
  execute format('drop policy tenant on %I', t);
  execute format('create policy tenant on %I to yunxun_app using (%s) with check (%s)', t, visible, account);
end $$;
select platform.narrow_by_network(t) from unnest(array['job_item', 'message', 'operation_log']) t;

-- sign-ins belong to no network
drop policy tenant on sign_in_log;
create policy tenant on sign_in_log to yunxun_app
  using (account_id = (select platform.account()) and (select platform.networks()) is null)
  with check (account_id = (select platform.account()));

drop policy tenant on job;
create policy tenant on job to yunxun_app
  using (account_id = (select platform.account()) and ((select platform.networks()) is null
    or exists (select 1 from job_item i where i.account_id = job.account_id and i.job_id = job.id)))
  with check (account_id = (select platform.account()));
`;
