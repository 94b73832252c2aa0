export const name = '0047-radio-plan';

export const up = `
-- a plan of channels and powers: what was proposed, and what became of it
create table radio_plan (
  account_id uuid not null,
  id uuid not null,
  gwid uuid not null,
  state text not null,
  bands text[] not null,
  dfs boolean not null,
  radios integer not null,
  scanned integer not null,
  aps integer not null,
  operator text not null,
  created_at timestamptz not null,
  applied_at timestamptz,
  job_id uuid,
  primary key (account_id, id),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
create index radio_plan_network on radio_plan (account_id, gwid, created_at desc);
select platform.tenant_table('radio_plan', 'gwid');

create table radio_plan_item (
  account_id uuid not null,
  plan_id uuid not null,
  serial text not null,
  band text not null,
  from_channel integer,
  to_channel integer not null,
  from_power text not null,
  to_power text not null,
  gain integer not null,
  -- what the device itself was told before (null: nothing); set when the change is applied
  own_before jsonb,
  applied boolean not null default false,
  primary key (account_id, plan_id, serial, band),
  foreign key (account_id, plan_id) references radio_plan (account_id, id) on delete cascade,
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
select platform.tenant_table('radio_plan_item');
select platform.narrow_by_device('radio_plan_item');
`;
