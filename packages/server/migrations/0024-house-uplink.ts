export const name = '0024-house-uplink';

const steps = ['5m', '1h', '1d'];
const rollups = steps.flatMap((step) => ['device', 'network', 'account'].map((scope) => `rollup_${scope}_${step}`));

/** Whether the device of `r` is its network's uplink, by the gateway's current place; earlier places are unknown. */
const isWayOut = `(
  exists (select from network n where n.account_id = r.account_id and n.gwid = r.gwid and n.gateway_serial = r.serial)
  or not exists (select from network n where n.account_id = r.account_id and n.gwid = r.gwid and n.gateway_serial is not null)
    and not exists (select from device d where d.account_id = r.account_id and d.serial = r.serial and d.kind = 'switch'))`;

const fillDevices = (table: string) => `
update ${table} r set house_wan = wan_down + wan_up where (wan_down > 0 or wan_up > 0) and ${isWayOut};`;

const fillFrom = (below: string, table: string, keys: string) => `
update ${table} r set house_wan = least(b.bytes, 1000000000000000000)
from (select ${keys}, sum(house_wan) as bytes from ${below} group by ${keys} having sum(house_wan) > 0) b
where (${keys
  .split(', ')
  .map((key) => `r.${key}`)
  .join(', ')}) = (${keys
  .split(', ')
  .map((key) => `b.${key}`)
  .join(', ')});`;

export const up = `
-- the device's uplinks have counters, and a report has told of them: what passes it is counted there
alter table device_counters add column measures boolean not null default false;
update device_counters set measures = true
where jsonb_typeof(counters -> 'wan') = 'object' and counters -> 'wan' <> '{}';

-- bytes through the uplinks, both ways, of the devices that were their network's way out when they reported: what passes
-- several uplinks of a house is in it once, and stays as it was counted wherever the devices go
${['device_sample', ...rollups]
  .map(
    (table) => `
alter table ${table} add column house_wan bigint not null default 0;
alter table ${table} alter column house_wan drop default;`,
  )
  .join('')}
${['device_sample', ...steps.map((step) => `rollup_device_${step}`)].map(fillDevices).join('')}
${steps
  .map(
    (step) =>
      fillFrom(`rollup_device_${step}`, `rollup_network_${step}`, 'account_id, bucket, gwid') +
      fillFrom(`rollup_network_${step}`, `rollup_account_${step}`, 'account_id, bucket'),
  )
  .join('')}

-- way_out: a network's way out is its gateway; where there is none, or none that has told what passes it, each of the
-- devices but switches, which stand in between
create or replace view device_place with (security_invoker = true) as
  select d.account_id, d.serial, coalesce(d.gwid, '00000000-0000-0000-0000-000000000000'::uuid) as gwid, a.time_zone,
    case when n.gateway_serial = d.serial then true
      when d.kind = 'switch' then false
      when n.gateway_serial is null then true
      else not exists (select from device_counters c
        where c.account_id = n.account_id and c.serial = n.gateway_serial and c.measures)
    end as way_out
  from device d join account a on a.account_id = d.account_id
  left join network n on n.account_id = d.account_id and n.gwid = d.gwid;
`;
