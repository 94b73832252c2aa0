import type pg from 'pg';

export interface Crowd {
  accounts: number;
  devices: number;
}

const perNetwork = 10;
const networksOfOthers = 9;

export async function seed(owner: pg.Client, crowd: Crowd, large: string, usual: string): Promise<void> {
  const networksOfLarge = Math.round(
    (crowd.devices - (crowd.accounts - 1) * networksOfOthers * perNetwork) / perNetwork,
  );
  const run = async (text: string, values?: unknown[]) => {
    await owner.query(text, values);
  };
  await run('begin');
  await run(
    `insert into account (account_id, name, binding_code)
     select gen_random_uuid(), 'Account ' || n, 'BENCH' || n from generate_series(1, $1::int) n`,
    [crowd.accounts - 2],
  );
  await run(
    'create temp table crowd (account_id uuid, number int, networks int, jobs int, items int, log int) on commit drop',
  );
  await run(
    `insert into crowd select account_id, row_number() over (order by account_id <> $1::uuid, account_id <> $2::uuid, account_id),
       case account_id when $1::uuid then $3::int else $4::int end,
       case account_id when $1::uuid then 1000 else 20 end, case account_id when $1::uuid then 20 else 10 end,
       case account_id when $1::uuid then 20000 else 200 end from account`,
    [large, usual, networksOfLarge, networksOfOthers],
  );
  await run(`create temp table site on commit drop as
    select account_id, gen_random_uuid() as gwid, k, row_number() over (order by number, k) as n
    from crowd, generate_series(1, networks) k`);
  await run(`insert into network (account_id, gwid, remark, tags, gateway_serial, created_at)
    select account_id, gwid, 'Site-' || lpad(k::text, 4, '0'), case when k % 5 = 0 then array['hotel'] else '{}' end,
      '9d' || lpad(to_hex(n * ${perNetwork}), 10, '0'), now() - (k % 700) * interval '1 day' from site`);
  // presence checks the session's last confirmation
  await run(`insert into device (confirmed, account_id, serial, gwid, kind, routes, remark, model, compatible, platform, firmware, capabilities,
      public_address, bound_at, first_seen, last_seen, epoch, online, online_since, offline_since, sync_state, sync_since, sync_reason)
    select true, account_id, '9d' || lpad(to_hex(n * ${perNetwork} + d), 10, '0'),
      case when n % 100 = 7 and d = 9 then null else gwid end,
      case d when 0 then 'gateway' when 1 then 'switch' else 'ap' end, d = 0,
      case d when 0 then 'GW' when 1 then 'SW' else 'AP' end || '-' || k || '-' || d,
      (array['EAP101', 'EAP102', 'EAP104', 'WF660A'])[1 + (n + d) % 4], 'edgecore', case d when 0 then 'olg' when 1 then 'switch' else 'ap' end,
      'TIP-v4.' || (n + d) % 3, '{"platform": "ap", "compress_cmd": true}', '203.0.' || n % 250 || '.' || d + 1,
      now() - interval '200 days', case when r < 96 then now() - interval '199 days' end,
      case when r < 86 then now() + interval '1 hour' when r < 96 then now() - (n % 90) * interval '1 hour' end, 3, r < 86,
      case when r < 86 then now() - (n % 40) * interval '1 hour' end, case when r >= 86 and r < 96 then now() - (n % 90) * interval '1 hour' end,
      case when (n + d) % 50 = 3 then 'failed' when (n + d) % 30 = 4 then 'pending' else 'in_sync' end, now() - interval '3 hours',
      case when (n + d) % 50 = 3 then 'job.not_applied' end
    from site, generate_series(0, ${perNetwork - 1}) d, lateral (select (n * 31 + d * 17) % 100 as r) dice`);
  await run(`insert into device_latest (account_id, serial, at, state, uuid, uptime_s, cpu_pct, mem_used, mem_total, load1,
      clients_2g, clients_5g, clients_6g, clients_total, sanity, health, health_at)
    select account_id, serial, last_seen, report.bytes, 5, 86400, 12.5, 180000000, 512000000, 0.4, 6, 14, 2, 22, 100, '\\x789c', last_seen
    from device, lateral (select string_agg(sha512(convert_to(serial || i, 'utf8')), '') as bytes from generate_series(1, 40) i) report
    where first_seen is not null
    on conflict do nothing`);
  await run(`insert into job (account_id, id, type, status, total, params, operator, created_at, finished_at)
    select account_id, gen_random_uuid(), case when k % 3 = 0 then 'reboot' else 'configuration' end,
      case when k % 10 = 0 then 'failed' when k = 1 then 'waiting_offline' else 'succeeded' end, items, '{}', 'owner@example.com',
      now() - k * interval '3 hours', case when k > 1 then now() - k * interval '3 hours' + interval '1 minute' end
    from crowd, generate_series(1, jobs) k`);
  await run(`insert into job_item (account_id, job_id, seq, serial, name, status, started_at, finished_at)
    select j.account_id, j.id, k, '9d' || lpad(to_hex(k), 10, '0'), 'AP-' || k,
      case j.status when 'failed' then 'failed' when 'succeeded' then 'succeeded' else 'waiting_offline' end, j.created_at, j.finished_at
    from job j, generate_series(0, j.total - 1) k`);
  await run(`insert into operation_log (account_id, seq, at, operator, source, ip, action, object_type, object_id, object_name, result,
      before, after, prev_hash, hash)
    select account_id, 1000 + k, now() - (log - k) * interval '7 minutes', 'owner@example.com', 'web', '203.0.113.9',
      (array['network.update', 'device.rename', 'device.reboot', 'network.wireless.save'])[1 + k % 4], 'network', 'object-' || k % 300,
      'Site-' || k % 300, 'success', '{"remark": "before"}', '{"remark": "after"}', sha256('a'), sha256('b')
    from crowd, generate_series(1, log) k`);
  await run('commit');
  await run('vacuum analyze');
}
