export const name = '0002-uplink';

export const up = `
-- our certificate authority and the device server's certificate: one row; keys sealed under the master key
create table installation_authority (
  id smallint primary key check (id = 1),
  certificate text not null,
  sealed_key bytea not null,
  server_name text not null,
  server_certificate text not null,
  sealed_server_key bytea not null,
  created_at timestamptz not null
);
select platform.directory_table('installation_authority');

-- directory: which account a serial belongs to
create table serial_directory (
  serial text primary key,
  account_id uuid not null references account on delete cascade,
  enrolled_at timestamptz not null,
  first_connected_at timestamptz
);
create index serial_directory_account on serial_directory (account_id, enrolled_at desc);
select platform.directory_table('serial_directory');

-- lets a request unbind its own account's serial, and nobody else's
create function platform.free_serial(holder uuid, wanted text) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
begin
  if session_user = 'yunxun_app' and holder is distinct from platform.account() then
    raise exception 'not this account''s serial' using errcode = 'insufficient_privilege';
  end if;
  delete from public.serial_directory where serial = wanted and account_id = holder;
  return found;
end $$;
revoke execute on function platform.free_serial(uuid, text) from public;
grant execute on function platform.free_serial(uuid, text) to yunxun_app, yunxun_system;

-- installation: connections that were refused; bounded by count, one row per address, serial and reason
create table link_refusal (
  address text not null,
  serial text not null,
  reason text not null,
  detail text,
  account_id uuid references account on delete cascade,
  count bigint not null,
  at timestamptz not null,
  primary key (address, serial, reason)
);
create index link_refusal_account on link_refusal (account_id, at desc);
create index link_refusal_time on link_refusal (at);
select platform.directory_table('link_refusal');

-- every certificate a device of the account may show, or was seen with
create table device_certificate (
  account_id uuid not null references account on delete cascade,
  fingerprint text not null,
  serial text not null,
  ours boolean not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  address text,
  model text,
  revoked_at timestamptz,
  revoked_reason text,
  primary key (account_id, fingerprint)
);
create index device_certificate_serial on device_certificate (account_id, serial);
create index device_certificate_time on device_certificate (account_id, issued_at desc);
select platform.tenant_table('device_certificate');

-- a device's session: connected_since is null while it is away; epoch counts its sessions
create table device_link (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  epoch bigint not null,
  node uuid not null,
  address text,
  connected_since timestamptz,
  disconnected_at timestamptz,
  last_frame_at timestamptz not null,
  primary key (account_id, serial)
) with (fillfactor = 80);
create index device_link_node on device_link (node) where connected_since is not null;
select platform.tenant_table('device_link');

-- latest report of a device: parameters of the state message as they came (deflated JSON), and what lists show of it
create table device_latest (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  at timestamptz,
  state bytea,
  uuid bigint,
  uptime_s bigint,
  cpu_pct real,
  mem_used bigint,
  mem_total bigint,
  load1 real,
  clients_2g integer,
  clients_5g integer,
  clients_6g integer,
  clients_total integer,
  sanity smallint,
  health bytea,
  health_at timestamptz,
  primary key (account_id, serial)
) with (fillfactor = 80);
alter table device_latest alter column state set storage external;
select platform.tenant_table('device_latest');

-- the password a device set itself, sealed under the account's key
create table device_password (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  sealed bytea not null,
  at timestamptz not null,
  primary key (account_id, serial)
);
select platform.tenant_table('device_password');
`;
