export const name = '0163-fleet-restart-schedule';

export const up = `
create table restart_schedule (
  account_id uuid not null,
  gwid uuid not null,
  -- empty: the network, as restarting it does
  serial text not null,
  -- 1 is Monday
  weekdays integer[] not null,
  -- minute of the day in the account's time zone
  start_minute integer not null check (start_minute between 0 and 1439),
  -- the time that was last acted on, or of the save
  last_at timestamptz not null,
  job_id uuid,
  created_at timestamptz not null,
  created_by text not null,
  primary key (account_id, gwid, serial),
  foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade
);
select platform.tenant_table('restart_schedule', 'gwid');
`;
