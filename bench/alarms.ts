import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expectDone, type Owner, post, register } from './lib/client.ts';
import { withConsole } from './lib/console.ts';
import { cpuOf, cpuOfFamily } from './lib/process.ts';
import { median, pause, seconds } from './lib/stats.ts';
import { seed } from './lists/seed.ts';
import { atMost, type Figure, record } from './results.ts';

/**
 * `npx tsx bench/alarms.ts [devices] [accounts]`: 1,000 rules over 100,000 devices, an account's whole outage, and
 * rules against the past.
 */

const devices = Number(process.argv[2] ?? 100_000);
const accounts = Number(process.argv[3] ?? 1000);
const rounds = 5;
const budgets = { cpu: 10_000, storm: 5000, backtest: 3000 };

await withConsole({ throwaway: true }, async ({ database, server, dataDir }) => {
  const large = await register(server.url, dataDir);
  const usual = await register(server.url, dataDir);
  await seed(database.owner, { devices, accounts }, large.accountId, usual.accountId);
  await seedRules(database.owner);
  await evaluate(database.owner);
  const cpuUsed = () => cpuOf(server.pid) + cpuOfFamily(database.pid);
  const cpu: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = cpuUsed();
    await evaluate(database.owner);
    cpu.push(cpuUsed() - before);
  }
  const storm = await measureStorm(server.url, database.owner, large);
  const figures: Figure[] = [
    atMost('CPU of an evaluation, once a minute, median', median(cpu), budgets.cpu, seconds),
    atMost(
      `${storm.offline} devices lost at once, until they are in the list under ${storm.causes} causes`,
      storm.took,
      budgets.storm,
      seconds,
    ),
    ...(await measureBacktests(server.url, database.owner, large)),
  ];
  record('alarms', figures, [
    `${devices} devices in ${accounts} accounts, of which one has a tenth; a tenth of them offline; 1,000 rules for one network each, besides the main ones. CPU is that of the program and its database. The time of the outage begins with the evaluation.`,
  ]);
});

async function seedRules(owner: pg.Client): Promise<void> {
  await owner.query(
    `insert into alarm_rule (account_id, id, main, kind, enabled, level, tolerance_s, scope, scope_ids)
     select distinct on (account_id) account_id, gen_random_uuid(), false, 'ap_offline', true, 'FATAL', 300, 'networks',
       array[gwid] from network`,
  );
  // the console was there all the time
  await owner.query("update platform.listening set since = now() - interval '1 day'");
}

async function evaluate(owner: pg.Client): Promise<void> {
  const key = randomUUID();
  await owner.query(
    "select graphile_worker.add_job('alarms-evaluate', job_key => $1, queue_name => 'alarms-evaluate')",
    [key],
  );
  while ((await owner.query('select from graphile_worker.jobs where key = $1', [key])).rowCount) await pause(10);
}

async function measureStorm(url: string, owner: pg.Client, { accountId, token }: Owner) {
  const { rowCount } = await owner.query(
    `update device set online = false, online_since = null, offline_since = now() - interval '10 minutes'
     where account_id = $1 and online and gwid is not null`,
    [accountId],
  );
  const began = performance.now();
  await evaluate(owner);
  const { data } = await expectDone(post<{ total: number }>(url, '/api/v3/alarm/list', { limit: 50 }, token));
  return { offline: rowCount ?? 0, causes: data.total, took: performance.now() - began };
}

/** The latest 10,000 outages of 30 days, and as many five-minute rows as one test reads. */
async function measureBacktests(url: string, owner: pg.Client, { accountId, token }: Owner): Promise<Figure[]> {
  await owner.query(
    `insert into device_outage (account_id, serial, began_at, ended_at, cause)
     select account_id, serial, at, at + make_interval(mins => 2 + n::int % 40), 'link'
     from (select account_id, serial, row_number() over (order by serial) as n from device where account_id = $1 limit 10000) d,
       lateral (select now() - interval '1 day' - (n % 41000) * interval '1 minute' as at) time`,
    [accountId],
  );
  const { rows } = await owner.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'rollup_device_5m'
       and is_nullable = 'NO' and column_name not in ('account_id', 'bucket', 'serial', 'gwid')`,
  );
  const names = rows.map(({ name }) => name);
  await owner.query(
    `insert into rollup_device_5m (account_id, bucket, serial, gwid, mem_sum, mem_n, ${names.join(', ')})
     select account_id, date_bin('5 minutes', now(), 'epoch') - n * interval '5 minutes', serial, gwid,
       case when (n / 6 + k) % 40 = 0 then 49000 else 20000 end, 5, ${names.map(() => '0').join(', ')}
     from (select *, row_number() over (order by serial) as k from device where account_id = $1 and gwid is not null) d,
       generate_series(1, 150) n
     on conflict do nothing`,
    [accountId],
  );
  await owner.query('vacuum analyze');
  const figures: Figure[] = [];
  for (const [kind, threshold] of [
    ['ap_offline', null],
    ['memory_high', 95],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const rule = { kind, enabled: true, level: 'MIDDLE', tolerance: 300, threshold, scope: { type: 'all', ids: [] } };
      const began = performance.now();
      await expectDone(post(url, '/api/v3/alarm_rule/simulate', { rule }, token));
      times.push(performance.now() - began);
    }
    figures.push(atMost(`${kind} against the past, slowest`, Math.max(...times), budgets.backtest, seconds));
  }
  return figures;
}
