export const name = '0056-assets';

export const up = `
-- what the operator says of something that was seen in a network; what is seen is telemetry's and the fleet's own
create table asset_mark (
  account_id uuid not null references account on delete cascade,
  gwid uuid not null,
  mac text not null check (mac ~ '^[0-9a-f]{12}$'),
  class text,
  name text not null default '',
  tags text[] not null default '{}',
  note text not null default '',
  -- since when it is no news any more
  known_at timestamptz,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, gwid, mac),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('asset_mark', 'gwid');
`;
