export const name = '0093-configuration-port-uplink';

export const up = `
-- ports of switches that lead to the network's gateway, by the last report that showed it
alter table reported_port add column uplink boolean not null default false;

-- what the reports of today show: a router's LLDP, or the gateway's own address on the port
update reported_port p set uplink = true
from device_latest l, device d left join network n on n.account_id = d.account_id and n.gwid = d.gwid
where l.account_id = p.account_id and l.serial = p.serial and d.account_id = p.account_id and d.serial = p.serial
  and n.gateway_serial is distinct from p.serial and (
    exists (select from jsonb_array_elements(l.links -> 'ports') q
      where q ->> 'name' = p.name and (q ->> 'up')::boolean)
    or exists (select from jsonb_array_elements(l.links -> 'lldp') q
      where q ->> 'port' = p.name and q ->> 'mac' = n.gateway_serial)
    or l.links -> 'macs' -> p.name ? n.gateway_serial);
`;
