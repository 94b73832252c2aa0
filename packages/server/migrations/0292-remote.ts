export const name = '0292-remote';

export const up = `
create table remote_setting (
  account_id uuid primary key,
  enabled boolean not null,
  version integer not null
);
select platform.tenant_table('remote_setting');

-- keeps its rows when network or device are gone: they say who was where
create table remote_session (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  serial text not null,
  peripheral_id uuid,
  host inet,
  port integer,
  target text not null,
  kind text not null check (kind in ('shell', 'ssh', 'telnet')),
  purpose text not null,
  user_id uuid not null,
  user_name text not null,
  created_at timestamptz not null,
  connected_at timestamptz,
  -- by the process that holds the device's connection
  seen_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  -- words of the device
  end_detail text,
  bytes_up bigint not null default 0,
  bytes_down bigint not null default 0,
  needs_certificate boolean not null,
  -- null: used
  token_hash bytea,
  token_until timestamptz not null,
  -- key of the peripheral device that was refused
  offered_key text,
  primary key (account_id, id)
) with (fillfactor = 80);
create index remote_session_newest on remote_session (account_id, created_at desc, id desc);
create index remote_session_open on remote_session (id) where ended_at is null;
create index remote_session_created on remote_session (created_at);
select platform.tenant_table('remote_session', 'gwid');

create table remote_host_key (
  account_id uuid not null,
  gwid uuid not null,
  host inet not null,
  port integer not null,
  fingerprint text not null,
  since timestamptz not null,
  primary key (account_id, gwid, host, port),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('remote_host_key', 'gwid');
`;
