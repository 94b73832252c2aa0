export const name = '0016-undo-and-invitations';

export const up = `
-- a first password that waits for the second factor
alter table sign_in_ticket add column password_hash text;

-- who invites: an invitation ends when that person may no longer invite
alter table invitation add column inviter_id uuid;
update invitation i set inviter_id = m.person_id
  from member m join person p on p.account_id = m.person_account_id and p.id = m.person_id
  where m.account_id = i.account_id and i.invited_by in (p.email, p.mobile);
update invitation i set revoked_at = now()
  where accepted_at is null and revoked_at is null and not exists (
    select from member m where m.account_id = i.account_id and m.person_id = i.inviter_id and m.role in ('owner', 'admin'));

-- true: a command, after which the object is as before; whatever else is logged of an object has changed it
alter table operation_log add column command boolean;

create or replace function platform.undoable(account uuid, operation bigint) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from operation_log o
    where o.account_id = $1 and o.seq = $2 and o.inverse is not null and o.result = 'success'
      and (platform.account() is null or platform.account() = $1)
      and not exists (select from operation_log n
        where n.account_id = o.account_id and n.object_type = o.object_type and n.object_id = o.object_id
          and n.seq > o.seq and n.result = 'success' and n.command is not true)
      and not exists (select from operation_log u
        where u.account_id = o.account_id and u.undoes = o.seq and u.result = 'success'))
$$;
`;
