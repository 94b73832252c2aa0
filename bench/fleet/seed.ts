import { deflateSync } from 'node:zlib';
import type pg from 'pg';
import { workbench } from '../../packages/simulator/src/testing.ts';
import { expectDone, type Owner, post } from '../lib/client.ts';
import { pause } from '../lib/stats.ts';

const perNetwork = 40;
const groups = 20;
/** Report interval and history, in minutes. */
const every = 5;
const back = 135;
/** Time limit for rollups, in milliseconds. */
const timeoutMs = 10 * 60_000;

const ssid = (name: string, maximum: number | null) => ({
  enabled: true,
  name,
  security: 'psk2',
  key: 'welcome-2026',
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: maximum,
  down_mbps: null,
  up_mbps: null,
});

export interface Fleet {
  networks: number;
  templates: number;
  groups: number;
}

/** Fills an account: networks of forty access points, settings, templates, groups, tags, two hours of reports. */
export async function seedFleet(url: string, owner: Owner, database: pg.Client, count: number): Promise<Fleet> {
  const { accountId, token } = owner;
  const call = async <T>(path: string, body: object) => (await expectDone(post<T>(url, path, body, token))).data;
  const run = (text: string, values: unknown[]) => database.query(text, values);
  const { rows: networks } = await database.query<{ gwid: string }>(
    `insert into network (account_id, gwid, remark, tags, created_at)
     select $1, gen_random_uuid(), 'Site-' || lpad(n::text, 4, '0'), case when n % 5 = 0 then array['hotel'] else '{}' end, now()
     from generate_series(1, $2::int) n returning gwid`,
    [accountId, Math.ceil(count / perNetwork)],
  );
  const gwids = networks.map(({ gwid }) => gwid);
  for (const gwid of gwids) {
    const settings = { country: 'CN', ssids: [ssid('Office', null), ssid('Guests', 40)], radios: [] };
    await call('/api/v3/network/wireless/save', { gwid, version: 0, ...settings });
  }
  const templates: string[] = [];
  for (const [kind, name] of [
    ['wireless', 'Rooms'],
    ['wireless', 'Halls'],
    ['ac', 'House'],
  ] as const) {
    const given = { kind, name, ssids: kind === 'ac' ? [] : [ssid(name, 60)], radios: [] };
    templates.push((await call<{ id: string }>('/api/v3/wireless_template/create', given)).id);
  }
  const groupIds: string[] = [];
  for (let at = 1; at <= groups; at += 1)
    groupIds.push((await call<{ id: string }>('/api/v3/ap/group/create', { name: `Floor-${at}` })).id);

  // presence checks the session's last confirmation
  await run(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, model, compatible, platform, firmware, public_address, bands, tags, group_id,
       bound_at, first_seen, last_seen, epoch, online, online_since, offline_since, sync_state, sync_since, sync_reason)
     select true, $1, '9c' || lpad(to_hex(n), 10, '0'), ($2::uuid[])[1 + n / ${perNetwork}], 'ap', 'AP-' || lpad(n::text, 5, '0'),
       (array['EAP101', 'EAP102', 'EAP104', 'WF660A', 'OAP103'])[1 + n % 5], 'edgecore', 'ap', 'TIP-v4.' || n % 4, '203.0.113.' || n % 250,
       case n % 10 when 0 then '{2G}' when 1 then '{2G,5G,6G}' else '{2G,5G}' end::text[],
       case when n % 8 = 0 then '{lobby}' else '{}' end::text[], case when n % 3 > 0 then ($3::uuid[])[1 + n % ${groups}] end,
       now() - interval '200 days', now() - interval '199 days',
       case when r < 94 then now() + interval '3 hours' else now() - (n % 90) * interval '1 hour' end, 3, r < 94,
       case when r < 94 then now() - (n % 40) * interval '1 hour' end, case when r >= 94 then now() - (n % 90) * interval '1 hour' end,
       case when n % 50 = 3 then 'failed' when n % 30 = 4 then 'pending' else 'in_sync' end, now() - interval '3 hours',
       case when n % 50 = 3 then 'job.not_applied' end
     from generate_series(0, $4::int - 1) n, lateral (select (n * 31) % 100 as r) dice`,
    [accountId, gwids, groupIds, count],
  );
  const place = (share: string, template: string, kind: string) =>
    run(
      `insert into device_layer (account_id, serial, kind, layer_id, version, scope, ref)
       select account_id, serial, $3, $2, 1, 'network', gwid from device
       where account_id = $1 and ('x' || right(serial, 4))::bit(16)::int % 10 ${share}`,
      [accountId, template, kind],
    );
  await place('< 5', templates[0]!, 'wireless');
  await place('in (5, 6)', templates[1]!, 'wireless');
  await place('<> 9', templates[2]!, 'ac');
  const states = reports();
  await run(
    `insert into device_latest (account_id, serial, at, state, uuid, uptime_s, cpu_pct, mem_used, mem_total, load1,
       clients_2g, clients_5g, clients_6g, clients_total, sanity)
     select account_id, serial, least(last_seen, now()), ($2::bytea[])[1 + n % ${states.length}], 5, 86400, 12.5, 180000000, 512000000, 0.4,
       n % 9, n % 17, 0, n % 9 + n % 17, 100
     from (select *, row_number() over (order by serial) as n from device where account_id = $1) d`,
    [accountId, states],
  );
  await run(
    `insert into device_sample (account_id, serial, at, gwid, restarted, cpu, wan_down, wan_up, house_wan, down_2g, up_2g, down_5g, up_5g, down_6g, up_6g,
       clients, clients_2g, clients_5g, util_2g, util_5g, noise_2g, noise_5g, weak, rssi_sum, rssi_n, rate_sum, rate_n, tx_packets, tx_retries, tx_failed)
     select account_id, serial, date_trunc('minute', now()) - m * interval '1 minute', gwid, false, 12, 0, 0, 0, 40000, 9000, 7000000, 900000, 0, 0,
       n % 9 + n % 17, n % 9, n % 17, n % 97, n % 61, -96 + n % 19, -98 + n % 9, n % 6, -60 * (n % 21), n % 21, 4000000, 20, 9000, n % 700, 3
     from (select *, row_number() over (order by serial) as n from device where account_id = $1 and online) d,
       generate_series(0, ${back}, ${every}) m`,
    [accountId],
  );
  await database.query('vacuum analyze');
  await rolledUp(database, accountId);
  return { networks: gwids.length, templates: templates.length, groups };
}

function reports(): Buffer[] {
  const bench = workbench({ aps: 8 });
  bench.pass(120);
  return bench.boxes.map((box) =>
    deflateSync(JSON.stringify({ serial: 'bench', uuid: 1, state: box.state(bench.clock.now()) })),
  );
}

async function rolledUp(database: pg.Client, accountId: string): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const { rows } = await database.query<{ done: boolean }>(
      `select not exists (select from platform.rollup_late) and exists (select from rollup_device_1h
         where account_id = $1 and bucket = date_trunc('hour', now()) - interval '1 hour') as done`,
      [accountId],
    );
    if (rows[0]?.done) return;
    if (Date.now() > deadline) throw new Error('the reports were not rolled up');
    await pause(1000);
  }
}
