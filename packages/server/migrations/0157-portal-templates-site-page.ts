export const name = '0157-portal-templates-site-page';

/** Copies of a template's page that belong to one network. */
export const up = `
create table portal_site_page (
  account_id uuid not null,
  gwid uuid not null,
  template_id uuid not null,
  page jsonb not null,
  -- counts the saves
  revision integer not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, gwid, template_id),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade,
  foreign key (account_id, template_id) references portal_template (account_id, id) on delete cascade
);
create index portal_site_page_template on portal_site_page (account_id, template_id);
select platform.tenant_table('portal_site_page', 'gwid');
`;
