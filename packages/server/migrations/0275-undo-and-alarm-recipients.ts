export const name = '0275-undo-and-alarm-recipients';

/** Calls that name the replaced version refuse outdated ones themselves: other settings of the object do not matter. */
export const up = `
alter table alarm_delivery add column person_id uuid;
alter table alarm_subscription add column ended_at timestamptz;
alter table alarm_endpoint add column ended_at timestamptz;
drop index alarm_subscription_name;
create unique index alarm_subscription_name on alarm_subscription (account_id, lower(name)) where ended_at is null;

create or replace function platform.undoable(account uuid, operation bigint) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from operation_log o
    where o.account_id = $1 and o.seq = $2 and o.inverse is not null and o.result = 'success'
      and (platform.account() is null or platform.account() = $1)
      and not exists (select from operation_log n
        where n.account_id = o.account_id and n.object_type = o.object_type and n.object_id = o.object_id
          and n.seq > o.seq and n.result = 'success' and n.command is not true
          and (n.action = o.action or o.object_type not in ('network', 'device', 'group')
            or o.inverse -> 'input' -> 'version' is null))
      and not exists (select from operation_log u
        where u.account_id = o.account_id and u.undoes = o.seq and u.result = 'success'))
$$;
`;
