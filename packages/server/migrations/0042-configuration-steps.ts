export const name = '0042-configuration-steps';

export const up = `
-- which version of a template a device had before an item of a job gave it another; written in the transaction that does
-- so, once, so that the way back is known whatever becomes of the item
create table layer_step (
  account_id uuid not null references account on delete cascade,
  job_id uuid not null,
  serial text not null,
  kind text not null,
  before jsonb,
  after jsonb,
  primary key (account_id, job_id, serial),
  foreign key (account_id, serial) references device (account_id, serial) on delete cascade
);
select platform.tenant_table('layer_step');
select platform.narrow_by_device('layer_step');
`;
