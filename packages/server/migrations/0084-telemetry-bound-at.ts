export const name = '0084-telemetry-bound-at';

export const up = `
-- nothing that a device tells is dated before it was bound
create or replace view device_place with (security_invoker = true) as
  select d.account_id, d.serial, coalesce(d.gwid, '00000000-0000-0000-0000-000000000000'::uuid) as gwid, a.time_zone,
    case when n.gateway_serial = d.serial then true
      when d.kind = 'switch' then false
      when n.gateway_serial is null then true
      else not exists (select from device_counters c
        where c.account_id = n.account_id and c.serial = n.gateway_serial and c.measures)
    end as way_out, d.bound_at
  from device d join account a on a.account_id = d.account_id
  left join network n on n.account_id = d.account_id and n.gwid = d.gwid;
-- what an answer about some networks is counted from
grant select on device_place to yunxun_app;
`;
