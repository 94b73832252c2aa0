export const name = '0082-configuration-wireless-past';

export const up = `
-- wireless settings of a network before each save, so that a save can be undone; keys lie sealed beside them
create table wireless_past (
  account_id uuid not null references account on delete cascade,
  gwid uuid not null,
  version integer not null,
  intent jsonb not null,
  sealed_keys bytea not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, gwid, version),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('wireless_past', 'gwid');
`;
