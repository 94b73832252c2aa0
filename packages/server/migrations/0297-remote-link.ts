export const name = '0297-remote-link';

export const up = `
create table remote_link (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  serial text,
  peripheral_id uuid,
  target text not null,
  kind text not null,
  guest text not null,
  purpose text not null,
  user_id uuid not null,
  user_account_id uuid not null,
  user_name text not null,
  created_at timestamptz not null,
  until timestamptz not null,
  secret_hash bytea not null,
  opened_at timestamptz,
  session_id uuid,
  revoked_at timestamptz,
  primary key (account_id, id),
  check (num_nonnulls(serial, peripheral_id) = 1)
);
create index remote_link_secret on remote_link (secret_hash);
create index remote_link_newest on remote_link (account_id, created_at desc, id desc);
create index remote_link_created on remote_link (created_at);
select platform.tenant_table('remote_link', 'gwid');

alter table remote_session
  add column link_id uuid,
  add column guest text,
  add column user_account_id uuid,
  -- of the page that opened the link
  add column page_hash bytea;
`;
