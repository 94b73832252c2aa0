import { join } from 'node:path';
import { createClosing } from '../packages/server/src/features/statistics/daily-close.ts';
import { systemClock } from '../packages/server/src/platform/clock.ts';
import { loadMasterKey } from '../packages/server/src/platform/crypto/index.ts';
import { openDatabase } from '../packages/server/src/platform/database/index.ts';
import { silentLog } from '../packages/server/src/platform/log.ts';
import { createClientCounts } from '../packages/server/src/telemetry/client-count-task.ts';
import { live } from './dashboards/lives.ts';
import { replicate } from './dashboards/load.ts';
import { checkCopies, sizes, sumAccounts } from './dashboards/sums.ts';
import { type Owner, register } from './lib/client.ts';
import { type BenchDatabase, startDatabase } from './lib/database.ts';
import { BenchDevice, enrol, serialOf } from './lib/device.ts';
import { type Asked, howMeasured, measureEndpoint } from './lib/endpoints.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { startServer } from './lib/server.ts';
import { median, megabytes, ms, pause } from './lib/stats.ts';
import { seed } from './lists/seed.ts';
import { plain, slow, startBrowser, type Visit } from './pages/browser.ts';
import { atMost, type Figure, record } from './results.ts';

/**
 * `npx tsx bench/dashboards.ts [devices] [accounts] [days] [pattern networks] [days of other accounts]`: home page,
 * clients and wireless monitor with 30 days of telemetry. Pattern networks pass the extractor; SQL copies their rows.
 */

const [devices = 100_000, accounts = 1000, days = 30, networks = 8, otherDays = 2] = process.argv.slice(2).map(Number);

const behind = { '5m': '12 minutes', '1h': '75 minutes', '1d': '25 hours' };
/** Time limit for the rollups, in milliseconds. */
const timeout = 3_600_000;
/** Time of the last reports, in milliseconds of this process. */
let reportedAt = Number.NEGATIVE_INFINITY;
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
const online = '/api/v3/user_online/list';
const list = (name: string, body: object): Asked => ({ name: `user_online/list, ${name}`, path: online, body });
const call = (path: string, body: object = {}, name = path): Asked => ({ name, path: `/api/v3/${path}`, body });

function asked(gwid: string): Asked[] {
  return [
    call('user_stat/complex'),
    call('user_stat/complex', { gwid }, 'user_stat/complex, one network'),
    call('user_stat/ap_complex'),
    call('user_stat/client_num', { day: 7 }, 'user_stat/client_num, 7 days'),
    call('user_stat/client_num', { day: 30 }, 'user_stat/client_num, 30 days'),
    call('user_stat/flow_model', { day: 30 }, 'user_stat/flow_model, 30 days'),
    call('user_stat/flow_model', { day: 'history' }, 'user_stat/flow_model, all'),
    call('user_stat/user_model', { day: 30 }, 'user_stat/user_model, 30 days'),
    call('user_stat/user_model', { day: 'history' }, 'user_stat/user_model, all'),
    call('user_stat/user_model', { day: 30, gwid }, 'user_stat/user_model, one network'),
    call('overview/attention'),
    call('overview/strip'),
    call('overview/tiles'),
    call('overview/problems'),
    call('overview/night'),
    call('overview/ranking'),
    list('online', { limit: 50 }),
    list('online, page 100', { limit: 50, page: 100 }),
    list('online, by signal', { limit: 50, sort: 'rssi', order: 'asc' }),
    list('online, by flow', { limit: 50, sort: 'flow', order: 'desc' }),
    list('online, 5 GHz and weak', { limit: 50, band: '5', rssi_below: '-67' }),
    list('online, one network', { limit: 50, gwid }),
    list('online, keyword', { limit: 50, keyword: 'iphone' }),
    list('today', { limit: 50, tab: 'today' }),
    list('today, by flow', { limit: 50, tab: 'today', sort: 'flow', order: 'desc' }),
    list('today, terminal type', { limit: 50, tab: 'today', terminal: 'android' }),
    list('history', { limit: 50, tab: 'history' }),
    list('history, by host name', { limit: 50, tab: 'history', sort: 'hostname' }),
    list('history, keyword', { limit: 50, tab: 'history', keyword: 'iphone' }),
    list('history, MAC', { limit: 50, tab: 'history', keyword: '0a1' }),
    list('blocked', { limit: 50, tab: 'blocked' }),
    call('wireless/summary'),
    call('wireless/score'),
    call('wireless/series', { step: '5m' }, 'wireless/series, 5 minutes'),
    call('wireless/series', { step: '1h' }, 'wireless/series, hours'),
    call('wireless/series', { step: '5m', gwid }, 'wireless/series, one network'),
    call('wireless/worst'),
  ];
}

const folder = makeFolder();
const bench = await startDatabase(folder, { throwaway: true });
try {
  const dataDir = makeFolder(folder);
  const [httpPort = 0, devicePort = 0] = await freePorts(2);
  const start = () => startServer({ dataDir, databaseUrl: bench.url, httpPort, devicePort });
  let server = await start();
  try {
    const [large, usual, pattern] = [
      await register(server.url, dataDir),
      await register(server.url, dataDir),
      await register(server.url, dataDir),
    ];
    const measured = [large.accountId, usual.accountId];
    const began = performance.now();
    const minutes = () => `${((performance.now() - began) / 60_000).toFixed(1)} min`;
    const masterKey = loadMasterKey(join(dataDir, 'master.key'));
    const log = silentLog();
    const database = await openDatabase({ owner: { connectionString: bench.url }, masterKey, log, poolSize: 4 });
    let reported: string;
    let looked: number;
    try {
      const life = await live({ url: server.url, database, owner: pattern, bench, networks, days });
      await createClosing({ database, clock: systemClock, log })();
      reported = `${networks * 10} lives of ${days} days, ${life.messages} messages, in ${minutes()}`;
      console.log(reported);
      // a running server would roll up half-copied hours
      await server.stop();
      await seed(bench.owner, { devices, accounts: accounts - 1 }, large.accountId, usual.accountId);
      await replicate(bench, { accountId: pattern.accountId, lived: life.lived }, measured, otherDays);
      await createClientCounts({ database }).run();
      await sumAccounts(database, days);
      looked = await checkCopies(bench.owner, life.lived, life, measured);
      server = await start();
      await settle(bench, await beginSessions(server.url, usual));
      await caughtUp(bench);
      console.log(`rolled up after ${minutes()}`);
    } finally {
      await database.close();
    }
    const figures: Figure[] = [{ what: 'lives', measured: reported }];
    figures.push({ what: 'seeding, all', measured: minutes(), budget: '≤ 15 min' });
    figures.push({ what: 'copies that are their lives, byte by byte and report by report', measured: String(looked) });
    figures.push(...(await disk(bench)));
    const asker = { url: server.url, serverPid: server.pid, databasePid: bench.pid };
    for (const [accountKind, owner] of [
      ['large', large],
      ['usual', usual],
    ] as const) {
      const { rows } = await bench.owner.query<{ gwid: string }>(
        'select gwid from network where account_id = $1 order by remark limit 1',
        [owner.accountId],
      );
      for (const entry of asked(rows[0]?.gwid ?? '')) {
        await report(bench, measured);
        figures.push(await measureEndpoint(asker, accountKind, owner, entry));
      }
      const failed = (error: unknown): Figure => ({
        what: `${accountKind}: the overview's paint`,
        measured: `not measured: ${error}`,
      });
      figures.push(await paint(server.url, accountKind, owner.token).catch(failed));
    }
    record('dashboards', figures, [
      `${howMeasured} Large: a tenth of all devices, a thousand networks; usual: 90 devices in 9 networks. Meanwhile both accounts report, and what is not rolled up yet is part of the answers. The database does not wait for the disk.`,
      `Devices report each hour, each five minutes in the last day. Kept: days and network hours of ${days} days for everybody; hours of devices, terminals and their days of ${days} days for the two accounts that are asked and of ${otherDays} for the others; five-minute rows of the last day (devices of the others: two hours) and of two days for networks; stays of the last day, of the others of one hour; quarters of an hour of terminals of three hours, of the others none; reports of the last hour.`,
    ]);
  } finally {
    await server.stop();
  }
} finally {
  await bench.stop();
  removeFolder(folder, [join(folder, 'database')]);
}

async function beginSessions(url: string, { bindingCode }: Owner): Promise<string> {
  const device = await BenchDevice.open(await enrol(url, bindingCode, serialOf(0xfffff)));
  device.sayConnect();
  device.socket.unref();
  for (let tries = 0; tries < 100; tries += 1) {
    const { rows } = await bench.owner.query<{ node: string }>('select node from device_link limit 1');
    if (rows[0]) return rows[0].node;
    await pause(100);
  }
  throw new Error('the session of a device is not in the table');
}

async function settle({ owner }: BenchDatabase, node: string): Promise<void> {
  await owner.query(
    `insert into device_link (account_id, serial, epoch, node, address, connected_since, last_frame_at)
     select account_id, serial, 1, $1, '203.0.113.7', now() - interval '1 day', now() + interval '3 hours' from device where online
     on conflict do nothing`,
    [node],
  );
  await owner.query(`update account set created_at = now() - interval '300 days'`);
  await owner.query(`update device set last_seen = now() + interval '3 hours' where online`);
  await owner.query('vacuum analyze');
  await owner.query('checkpoint');
}

async function caughtUp({ owner }: BenchDatabase): Promise<void> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const { rows } = await owner.query<{ done: boolean }>(
      `select bool_and(p.until > now() - b.behind::interval) and not exists (select from platform.rollup_late) as done
       from platform.rollup_progress p join (values ${Object.entries(behind)
         .map(([step, time]) => `('${step}', '${time}')`)
         .join(', ')}) b (step, behind) on p.name like 'rollup\\_%\\_' || b.step`,
    );
    if (rows[0]?.done) return;
    if (performance.now() > deadline) throw new Error('the rollups are not caught up with after an hour');
    await pause(5000);
  }
}

async function report({ owner }: BenchDatabase, accountIds: readonly string[]): Promise<void> {
  if (performance.now() - reportedAt < 60_000) return;
  reportedAt = performance.now();
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'device_sample'::regclass and attnum > 0 and not attisdropped`,
  );
  const names = rows.map(({ name }) => name);
  await owner.query(
    `insert into device_sample (${names.join(', ')})
     select ${names.map((name) => (name === 'at' ? 'now()' : name)).join(', ')} from (
       select distinct on (account_id, serial) * from device_sample
       where account_id = any($1::uuid[]) and at > now() - interval '3 hours' order by account_id, serial, at desc) last`,
    [accountIds],
  );
}

async function paint(url: string, accountKind: string, token: string): Promise<Figure> {
  const budget = { plain: 800, slow: 1600 };
  const browser = await startBrowser();
  try {
    const visits: Record<'plain' | 'slow', Visit[]> = { plain: [], slow: [] };
    for (let run = 0; run < 3; run += 1) {
      visits.plain.push(await browser.visit(`${url}/`, token, plain, false));
      visits.slow.push(await browser.visit(`${url}/`, token, slow, false));
    }
    const of = (how: 'plain' | 'slow', what: 'lcp' | 'useful') => median(visits[how].map((visit) => visit[what]));
    const shown = (['plain', 'slow'] as const).map((how) => `${ms(of(how, 'lcp'))}, ${ms(of(how, 'useful'))}`);
    return {
      what: `${accountKind}: the overview's largest paint, and all its cards filled: plain / slow`,
      measured: shown.join(' / '),
      budget: `largest paint ≤ ${budget.plain} / ${budget.slow} ms`,
      holds: of('plain', 'lcp') <= budget.plain && of('slow', 'lcp') <= budget.slow,
    };
  } finally {
    await browser.stop();
  }
}

async function disk({ owner }: BenchDatabase): Promise<Figure[]> {
  const all = await sizes(owner);
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const shown = all.slice(0, 14).map(({ name, bytes, rows }) => ({
    what: `${name}: rows, on disk with its indexes`,
    measured: `${(rows / 1e6).toFixed(2)} M, ${megabytes(bytes)}`,
  }));
  return [atMost('the whole on disk', total, 40e9, gigabytes), ...shown];
}
