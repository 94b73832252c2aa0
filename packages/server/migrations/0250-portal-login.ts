export const name = '0250-portal-login';

export const up = `
alter table portal_template add column client_secrets bytea;
alter table portal_template_version add column client_secrets bytea;

-- guests who are at an identity provider
create table portal_login (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  -- of the state in the address
  token_hash bytea not null,
  -- of the cookie: another browser cannot finish the sign-in
  browser_hash bytea not null,
  kind text not null,
  -- nonce, code verifier, and the client as its gateway sent it
  sealed text not null,
  expires_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, gwid) references portal_site (account_id, gwid) on delete cascade
);
create unique index portal_login_token on portal_login (account_id, gwid, token_hash);
create index portal_login_expiry on portal_login (expires_at);
select platform.tenant_table('portal_login', 'gwid');
`;
