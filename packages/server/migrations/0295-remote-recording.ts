export const name = '0295-remote-recording';

export const up = `
alter table remote_setting
  add column record boolean not null default false,
  add column record_days integer not null default 90 check (record_days between 1 and 400);

alter table remote_session
  -- decided when it is opened
  add column recording text not null default 'off' check (recording in ('off', 'kept', 'cut', 'deleted'));
create index remote_session_recorded on remote_session (ended_at) where recording in ('kept', 'cut');

create table remote_recording_part (
  account_id uuid not null,
  session_id uuid not null,
  part integer not null,
  -- deflated events
  sealed bytea not null,
  primary key (account_id, session_id, part),
  foreign key (account_id, session_id) references remote_session (account_id, id) on delete cascade
);
-- cannot be compressed
alter table remote_recording_part alter column sealed set storage external;
select platform.tenant_table('remote_recording_part');
`;
