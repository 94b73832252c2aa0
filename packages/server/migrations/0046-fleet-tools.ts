export const name = '0046-fleet-tools';

export const up = `
-- one use of a tool on a device, and what came of it; kept for a week
create table tool_run (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  serial text not null,
  tool text not null,
  arguments jsonb not null,
  state text not null,
  reason text,
  result jsonb,
  job_id uuid not null,
  operator text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- SHA-256 of what the device must name to bring a file; null when none is awaited
  upload_hash bytea,
  upload_until timestamptz,
  file_size integer,
  primary key (account_id, id),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
create index tool_run_device on tool_run (account_id, serial, created_at desc);
select platform.tenant_table('tool_run');
select platform.narrow_by_device('tool_run');

-- what a device brought, in pieces that no reader holds all of at once
create table tool_file (
  account_id uuid not null,
  run_id uuid not null,
  serial text not null,
  piece integer not null,
  bytes bytea not null,
  primary key (account_id, run_id, piece),
  foreign key (account_id, run_id) references tool_run (account_id, id) on delete cascade
);
alter table tool_file alter column bytes set storage external;
select platform.tenant_table('tool_file');
select platform.narrow_by_device('tool_file');
`;
