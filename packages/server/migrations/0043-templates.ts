export const name = '0043-templates';

export const up = `
-- a version of a template that was brought to devices: to whom it was meant to go, by which plan
create table template_change (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  layer_id uuid not null,
  kind text not null,
  name text not null,
  version integer not null,
  targets jsonb not null,
  plan jsonb not null,
  -- what stood for the networks and groups that it went to, before it did
  standing_before jsonb not null,
  start_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  primary key (account_id, id)
);
create index template_change_newest on template_change (account_id, created_at desc);
create index template_change_layer on template_change (account_id, layer_id, created_at desc);
select platform.tenant_table('template_change');

-- its jobs: the push, what was tried again, gone on with, and taken back
create table template_round (
  account_id uuid not null references account on delete cascade,
  change_id uuid not null,
  round smallint not null,
  cause text not null,
  job_id uuid not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (account_id, change_id, round),
  foreign key (account_id, change_id) references template_change (account_id, id) on delete cascade
);
select platform.tenant_table('template_round');
`;
