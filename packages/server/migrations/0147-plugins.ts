export const name = '0147-plugins';

/** Plugins: trusted publishers, their catalogue and packages; what gateways of accounts shall run. */
export const up = `
create table plugin_publisher (
  -- Ed25519, SPKI, base64
  key text primary key,
  name text not null,
  trusted_by text not null,
  trusted_at timestamptz not null
);
select platform.directory_table('plugin_publisher');

create table plugin (
  id text primary key,
  publisher_key text not null references plugin_publisher (key) on delete cascade,
  entry jsonb not null,
  imported_at timestamptz not null
);
create index plugin_publisher_plugins on plugin (publisher_key);
select platform.directory_table('plugin');

create table plugin_package (
  plugin_id text not null references plugin (id) on delete cascade,
  version text not null,
  arch text not null,
  min_agent text not null,
  size integer not null,
  sha256 text not null,
  signature text not null,
  bytes bytea not null,
  primary key (plugin_id, version, arch)
);
select platform.directory_table('plugin_package');

create table plugin_install (
  account_id uuid not null,
  serial text not null,
  plugin_id text not null,
  version text not null,
  settings jsonb not null,
  desired text not null check (desired in ('present', 'absent')),
  -- as reported by the gateway; null: it has none
  reported_version text,
  state text not null check (state in ('pending', 'starting', 'running', 'failed')),
  reason text,
  log text[] not null,
  -- SHA-256 of the token in the address of the package; null: no download is due
  token bytea,
  changed_at timestamptz not null,
  primary key (account_id, serial, plugin_id),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
select platform.tenant_table('plugin_install');
select platform.narrow_by_device('plugin_install');

create table plugin_event (
  account_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  serial text not null,
  plugin_id text not null,
  version text not null,
  event text not null,
  reason text,
  primary key (account_id, id),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
create index plugin_event_device on plugin_event (account_id, serial);
create index plugin_event_at on plugin_event (at);
select platform.tenant_table('plugin_event');
select platform.narrow_by_device('plugin_event');
`;
