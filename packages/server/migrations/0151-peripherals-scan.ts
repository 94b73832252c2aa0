export const name = '0151-peripherals-scan';

/** MAC addresses of peripheral devices, and the latest scan of each network. */
export const up = `
alter table peripheral add column mac text check (mac ~ '^[0-9a-f]{12}$');

create table peripheral_scan (
  account_id uuid not null,
  gwid uuid not null,
  id uuid not null,
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  reason text,
  started_at timestamptz not null,
  finished_at timestamptz,
  done integer not null default 0,
  total integer not null default 0,
  subnets jsonb not null default '[]',
  hosts jsonb not null default '[]',
  primary key (account_id, gwid),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
) with (fillfactor = 80);
select platform.tenant_table('peripheral_scan', 'gwid');
`;
