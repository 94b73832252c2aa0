export const name = '0051-firmware';

export const up = `
-- images that devices can be upgraded to. token stands in the address that devices fetch an upload from
create table firmware_image (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  version text not null,
  models text[] not null,
  source text not null,
  uri text,
  name text not null,
  size integer,
  sha256 text not null,
  signature text,
  token text not null,
  ready boolean not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
select platform.tenant_table('firmware_image');

-- an upload in parts of a mebibyte: any process can serve it
create table firmware_part (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  part integer not null,
  bytes bytea not null,
  primary key (account_id, id, part),
  foreign key (account_id, id) references firmware_image on delete cascade
);
alter table firmware_part alter column bytes set storage external;
select platform.tenant_table('firmware_part');

-- what devices did, by their own word; it outlives them
create table upgrade_log (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  at timestamptz not null,
  serial text not null,
  name text not null,
  gwid uuid,
  action text not null,
  from_version text,
  to_version text,
  trigger text not null,
  operator text,
  result text not null,
  reason text,
  seconds integer,
  job_id uuid,
  primary key (account_id, id)
);
create index upgrade_log_newest on upgrade_log (account_id, at desc, id desc);
create index upgrade_log_old on upgrade_log (at);
select platform.tenant_table('upgrade_log', 'gwid');
`;
