export const name = '0294-remote-credential';

export const up = `
create table remote_credential (
  account_id uuid not null,
  peripheral_id uuid not null,
  user_name text not null,
  kind text not null check (kind in ('password', 'key')),
  -- opens for the network, address and port for which it was set
  sealed bytea not null,
  version integer not null,
  set_at timestamptz not null,
  set_by text not null,
  primary key (account_id, peripheral_id),
  foreign key (account_id, peripheral_id) references peripheral (account_id, id) on delete cascade
);
select platform.tenant_table('remote_credential');
`;
