export const name = '0113-portal-templates';

export const up = `
-- what a guest's page shows and allows. draft and content hold no password: it is sealed beside them
create table portal_template (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  name text not null,
  draft jsonb not null,
  sealed bytea,
  -- counts the saves of the draft
  revision integer not null,
  published_version integer,
  -- the draft differs from the published version
  changed boolean not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, id)
);
create unique index portal_template_name on portal_template (account_id, lower(name));
select platform.tenant_table('portal_template');

create table portal_template_version (
  account_id uuid not null references account on delete cascade,
  template_id uuid not null,
  version integer not null,
  content jsonb not null,
  sealed bytea,
  at timestamptz not null,
  by text not null,
  primary key (account_id, template_id, version),
  foreign key (account_id, template_id) references portal_template (account_id, id) on delete cascade
);
select platform.tenant_table('portal_template_version');

-- pictures as they were written anew. token stands in the address that the console shows them by
create table portal_picture (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  slot text not null,
  mime text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  sha256 text not null,
  token text not null,
  -- last upload or save; kept for a day beyond it without a use
  used_at timestamptz not null,
  primary key (account_id, id)
);
alter table portal_picture alter column bytes set storage external;
create unique index portal_picture_content on portal_picture (account_id, slot, sha256);
create index portal_picture_used on portal_picture (used_at);
select platform.tenant_table('portal_picture');
`;
