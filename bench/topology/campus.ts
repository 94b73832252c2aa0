import type pg from 'pg';

export const size = { switches: 20, accessPoints: 480, terminals: 1500 } as const;

export async function seedCampus(owner: pg.Client, accountId: string, node: string): Promise<string> {
  const { rows } = await owner.query<{ gwid: string }>(
    `insert into network (account_id, gwid, remark, gateway_serial, created_at)
     values ($1, gen_random_uuid(), 'Campus', '9d0000000001', now()) returning gwid`,
    [accountId],
  );
  const gwid = rows[0]!.gwid;
  const counts = [size.switches, size.accessPoints];
  await owner.query(
    `create temp table box as
     select '9d0000000001' as serial, 'gateway' as kind, null as parent, 'Gateway' as remark, '' as port
     union all select '9d0000000002', 'switch', '9d0000000001', 'Core', 'LAN1'
     union all select '9d01' || lpad(to_hex(n), 8, '0'), 'switch', '9d0000000002', 'Hall-' || n, 'Ethernet' || n
       from generate_series(1, ${counts[0]}) n
     union all select '9d02' || lpad(to_hex(n), 8, '0'), 'ap', '9d01' || lpad(to_hex(1 + n % ${counts[0]}), 8, '0'), 'Room-' || n,
       'Ethernet' || 1 + n / ${counts[0]} from generate_series(1, ${counts[1]}) n`,
  );
  await owner.query(
    `insert into device (confirmed, account_id, serial, gwid, kind, routes, remark, model, compatible, platform, firmware, capabilities,
       bound_at, first_seen, last_seen, epoch, online, online_since, sync_state, sync_since)
     select true, $1, serial, $2, kind, kind = 'gateway', remark, 'Bench', 'bench', case kind when 'switch' then 'switch' else 'ap' end,
       'TIP-v4.0', '{"platform": "ap", "model": "Bench"}', now(), now(), now() + interval '3 hours', 1, true, now(), 'in_sync', now() from box`,
    [accountId, gwid],
  );
  await owner.query(
    `insert into device_latest (account_id, serial, at, links, links_at)
     select $1, serial, now(), jsonb_build_object(
       'lldp', case when parent is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object('port', 'wan', 'up', true, 'mac', parent,
         'name', 'upper', 'far_port', port, 'description', 'Bench', 'roles', '["Bridge"]'::jsonb, 'address', null)) end,
       'ports', '[{"name": "wan", "up": true, "carrier": true, "speed": 1000}]'::jsonb, 'macs', '{}'::jsonb, 'own', '[]'::jsonb), now() from box
     on conflict (account_id, serial) do update set links = excluded.links, links_at = excluded.links_at`,
    [accountId],
  );
  await owner.query(
    `insert into device_link (account_id, serial, epoch, node, address, connected_since, last_frame_at)
     select $1, serial, 1, $2, '203.0.113.7', now() - interval '1 day', now() + interval '3 hours' from box on conflict do nothing`,
    [accountId, node],
  );
  await owner.query(
    `insert into station_open (account_id, serial, mac, bssid, gwid, ssid, band, ip, started_at, last_at, rssi)
     select $1, '9d02' || lpad(to_hex(1 + n % ${counts[1]}), 8, '0'), '3c22fb' || lpad(to_hex(n), 6, '0'), '9d02' || lpad(to_hex(n % 480), 8, '0'),
       $2, 'Campus', 5, '10.8.' || n / 250 || '.' || n % 250, now() - interval '1 hour', now(), -50 - n % 35 from generate_series(1, ${size.terminals}) n`,
    [accountId, gwid],
  );
  await owner.query('vacuum analyze');
  return gwid;
}
