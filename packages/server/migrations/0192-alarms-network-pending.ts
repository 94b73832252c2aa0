export const name = '0192-alarms-network-pending';

export const up = `
-- problems of networks are measured too
alter table alarm_pending drop constraint alarm_pending_pkey;
alter table alarm_pending
  alter column serial drop not null,
  add column gwid uuid,
  add column subject text not null generated always as (coalesce(serial, gwid::text)) stored,
  add check ((serial is null) <> (gwid is null)),
  add foreign key (account_id, gwid) references network (account_id, gwid) on delete cascade,
  add primary key (account_id, kind, subject, part);
`;
