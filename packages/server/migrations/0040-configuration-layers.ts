export const name = '0040-configuration-layers';

export const up = `
-- settings that devices take from above their own: wireless templates of both kinds, and those of a group of access
-- points, whose id the layer bears
create table config_layer (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('ac', 'wireless', 'group')),
  name text not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, id)
);
create unique index config_layer_name on config_layer (account_id, kind, lower(name)) where kind <> 'group';
select platform.tenant_table('config_layer');

-- what a layer said at each version; never changed. Keys lie sealed beside it
create table config_layer_version (
  account_id uuid not null references account on delete cascade,
  layer_id uuid not null,
  version integer not null,
  content jsonb not null,
  sealed_keys bytea not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (account_id, layer_id, version),
  foreign key (account_id, layer_id) references config_layer (account_id, id) on delete cascade
);
select platform.tenant_table('config_layer_version');

-- the version of a template that a device is to run. What it got with a network or a group ('scope', 'ref') holds while it
-- is in there, what it got by hand always
create table device_layer (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  kind text not null,
  layer_id uuid not null,
  version integer not null,
  scope text not null check (scope in ('device', 'group', 'network')),
  ref uuid,
  primary key (account_id, serial, kind),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade,
  foreign key (account_id, layer_id, version) references config_layer_version (account_id, layer_id, version)
);
create index device_layer_use on device_layer (account_id, layer_id);
select platform.tenant_table('device_layer');
select platform.narrow_by_device('device_layer');

-- the version that devices of a network or a group get that come later
create table standing_layer (
  account_id uuid not null references account on delete cascade,
  scope text not null check (scope in ('group', 'network')),
  ref uuid not null,
  kind text not null,
  layer_id uuid not null,
  version integer not null,
  primary key (account_id, scope, ref, kind),
  foreign key (account_id, layer_id, version) references config_layer_version (account_id, layer_id, version)
);
create index standing_layer_use on standing_layer (account_id, layer_id);
select platform.tenant_table('standing_layer');
`;
