export const name = '0013-users';

export const up = `
-- what the operator says of a terminal; it holds in all networks of the account, also for one that was never seen
create table station_mark (
  account_id uuid not null references account on delete cascade,
  mac text not null check (mac ~ '^[0-9a-f]{12}$'),
  remark text not null default '',
  vip boolean not null default false,
  list text check (list in ('blocked', 'allowed')),
  listed_at timestamptz,
  listed_by text,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, mac)
);
create index station_mark_list on station_mark (account_id, list, listed_at) where list is not null;
select platform.tenant_table('station_mark');

-- lists of who is there come newest first, and never change by it
create index station_open_started on station_open (account_id, started_at, mac);
-- one terminal's days, and whom the narrowed may know
create index station_day_mac on station_day (account_id, mac, day);
`;
