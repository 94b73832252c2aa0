export const name = '0272-uplink-unbound-serials';

export const up = `
-- serials that the account unbound. A row outlives the binding: a device that shows a certificate of that account learns
-- that it is unbound, which differs from unknown.
create table unbound_serial (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (account_id, serial)
);
create index unbound_serial_latest on unbound_serial (serial, at desc);
select platform.tenant_table('unbound_serial');
select platform.narrow_by_device('unbound_serial');

create or replace function platform.free_serial(holder uuid, wanted text) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
begin
  if session_user = 'yunxun_app' and holder is distinct from platform.account() then
    raise exception 'not this account''s serial' using errcode = 'insufficient_privilege';
  end if;
  delete from public.serial_directory where serial = wanted and account_id = holder;
  if not found then
    return false;
  end if;
  insert into public.unbound_serial (account_id, serial) values (holder, wanted)
    on conflict (account_id, serial) do update set at = excluded.at;
  return true;
end $$;
`;
