export const name = '0144-shield';

/** Cloud security: settings of networks, URL whitelist, own lists, and lists of the installation. */
export const up = `
create table shield_policy (
  account_id uuid not null,
  gwid uuid not null,
  mode text not null check (mode in ('off', 'monitor', 'block')),
  categories text[] not null,
  redirect boolean not null,
  saved_at timestamptz not null,
  -- section of the gateway's document; null: none
  document jsonb,
  primary key (account_id, gwid),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('shield_policy', 'gwid');

create table shield_allow (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  name text not null,
  link text not null,
  domain text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index shield_allow_name on shield_allow (account_id, lower(name));
create unique index shield_allow_domain on shield_allow (account_id, domain);
select platform.tenant_table('shield_allow');

create table shield_own (
  account_id uuid not null references account on delete cascade,
  -- in the address of the list
  token text not null,
  -- a domain per line
  contents text not null,
  sha256 text not null,
  domains integer not null,
  saved_at timestamptz not null,
  primary key (account_id)
);
select platform.tenant_table('shield_own');

create table shield_list (
  id uuid primary key,
  name text not null,
  category text not null,
  url text not null,
  token text not null,
  contents text,
  sha256 text,
  domains integer not null default 0,
  created_at timestamptz not null,
  fetched_at timestamptz,
  checked_at timestamptz,
  error text
);
create unique index shield_list_name on shield_list (lower(name));
select platform.directory_table('shield_list');
`;
