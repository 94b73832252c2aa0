export const name = '0004-configuration';

export const up = `
-- what the operator means for the wireless side of a network; keys lie sealed beside it
create table wireless_intent (
  account_id uuid not null references account on delete cascade,
  gwid uuid not null,
  version integer not null,
  intent jsonb not null,
  sealed_keys bytea not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, gwid),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('wireless_intent', 'gwid');

-- what one device does otherwise than its network says
create table device_override (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  version integer not null,
  override jsonb not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, serial),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
select platform.tenant_table('device_override');

-- every document that was made for a device; sealed, because it holds keys. sha256 is that of the document without its number
create table config_version (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  uuid integer not null check (uuid > 1),
  sha256 text not null,
  sealed bytea not null,
  bytes integer not null,
  cause text not null,
  author text not null,
  job_id uuid,
  outcome text not null,
  rejected text[] not null default '{}',
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (account_id, serial, uuid),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
select platform.tenant_table('config_version');

-- where a device's configuration stands: what it should run, was sent, runs, refused, and last said that it runs
create table config_state (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  state text not null,
  desired_uuid integer,
  desired_sha text,
  active_uuid integer,
  active_sha text,
  sent_uuid integer,
  sent_sha text,
  sent_at timestamptz,
  attempts integer not null default 0,
  holder text,
  held_until timestamptz,
  rejected_uuid integer,
  rejected_sha text,
  rejected_firmware text,
  reasons text[] not null default '{}',
  reported_uuid bigint,
  last_uuid integer not null default 1,
  changed_at timestamptz not null,
  primary key (account_id, serial),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
) with (fillfactor = 80);
select platform.tenant_table('config_state');
`;
