export const name = '0212-portal-shop';

/** What one template shows differently in each network, and the terms that guests accepted. */
export const up = `
create table portal_shop (
  account_id uuid not null,
  gwid uuid not null,
  name text not null,
  phone text not null,
  logo uuid,
  primary key (account_id, gwid),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('portal_shop', 'gwid');

-- each text that a guest accepted; versions count per network and language
create table portal_terms (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  locale text not null,
  version integer not null,
  hash bytea not null,
  text text not null,
  first_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, gwid, locale, hash),
  unique (account_id, gwid, locale, version),
  foreign key (account_id, gwid) references portal_site (account_id, gwid) on delete cascade
);
select platform.tenant_table('portal_terms', 'gwid');

-- null: the page had no terms
alter table portal_session add column terms_id uuid;
`;
