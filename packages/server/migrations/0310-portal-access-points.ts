export const name = '0310-portal-access-points';

export const up = `
alter table portal_site
  -- SSIDs of managed access points that guests sign in on, by id and by name; null: the gateway is set up by hand
  add column ssid_ids text[],
  add column ssid_names text[],
  add check ((ssid_ids is null) = (ssid_names is null)),
  add check (ssid_ids is null or gateway = 'uam');

-- the portal made it, and alone changes it
alter table radius_nas add column managed boolean not null default false;

-- access points that sent guests with a valid signature
create table portal_access_point (
  account_id uuid not null,
  gwid uuid not null,
  serial text not null,
  redirected_at timestamptz not null,
  primary key (account_id, gwid, serial),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
) with (fillfactor = 80);
select platform.tenant_table('portal_access_point', 'gwid');
`;
