export const name = '0216-portal-sponsor';

export const up = `
-- guests who asked a host for approval
create table portal_sponsor_request (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  -- of the link in the message
  token_hash bytea not null,
  device_key bytea not null,
  guest text not null,
  sponsor text not null,
  state text not null check (state in ('asked', 'approved', 'refused', 'used')),
  at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, gwid) references portal_site (account_id, gwid) on delete cascade
);
create unique index portal_sponsor_request_token on portal_sponsor_request (account_id, gwid, token_hash);
create index portal_sponsor_request_recent on portal_sponsor_request (account_id, gwid, at desc);
select platform.tenant_table('portal_sponsor_request', 'gwid');
`;
