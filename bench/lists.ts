import { join } from 'node:path';
import { expectDone, type Owner, post, register } from './lib/client.ts';
import { startDatabase } from './lib/database.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { cpuOf, cpuOfFamily } from './lib/process.ts';
import { freePorts, startServer } from './lib/server.ts';
import { inParallel, ms, quantile } from './lib/stats.ts';
import { seed } from './lists/seed.ts';
import { type Figure, record } from './results.ts';

/**
 * `npx tsx bench/lists.ts [devices] [accounts]`: the list endpoints at 100,000 devices in 1,000 accounts, asked by the
 * owner of the largest account (a tenth of all devices) and by an ordinary one; one call after the other, and ten at a
 * time.
 */

const devices = Number(process.argv[2] ?? 100_000);
const accounts = Number(process.argv[3] ?? 1000);
const budget = { p50: 30, p95: 150 };
const calls = { warm: 5, alone: 40, together: 60, width: 10 };

const asked: { name: string; path: string; body: object }[] = [
  { name: 'network/list', path: '/api/v3/network/list', body: { page: 1, limit: 50 } },
  { name: 'network/list, by status', path: '/api/v3/network/list', body: { sort: 'status', limit: 50 } },
  { name: 'network/list, offline only', path: '/api/v3/network/list', body: { status: 'offline', limit: 50 } },
  { name: 'network/list, keyword', path: '/api/v3/network/list', body: { keyword: 'Site-00', limit: 50 } },
  { name: 'ap/list', path: '/api/v3/ap/list', body: { page: 1, limit: 50 } },
  { name: 'ap/list, last page', path: '/api/v3/ap/list', body: { page: 140, limit: 50 } },
  { name: 'ap/list, by terminals', path: '/api/v3/ap/list', body: { sort: 'online_user', order: 'desc', limit: 50 } },
  { name: 'ap/list, keyword', path: '/api/v3/ap/list', body: { keyword: 'EAP101', limit: 50 } },
  { name: 'device/waiting/list', path: '/api/v3/device/waiting/list', body: { limit: 50 } },
  { name: 'job/list', path: '/api/v3/job/list', body: { limit: 50 } },
  { name: 'log/action/list', path: '/api/v3/log/action/list', body: { limit: 50 } },
  { name: 'log/action/list, one object', path: '/api/v3/log/action/list', body: { object_id: 'object-7', limit: 50 } },
  { name: 'overview/attention', path: '/api/v3/overview/attention', body: {} },
];

let serverPid = 0;
const folder = makeFolder();
const database = await startDatabase(folder);
try {
  const dataDir = makeFolder(folder);
  const [httpPort = 0, devicePort = 0] = await freePorts(2);
  const server = await startServer({ dataDir, databaseUrl: database.url, httpPort, devicePort });
  try {
    serverPid = server.pid;
    const large = await register(server.url, dataDir);
    const usual = await register(server.url, dataDir);
    const began = performance.now();
    await seed(database.owner, { devices, accounts }, large.accountId, usual.accountId);
    console.log(`seeded in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    const figures: Figure[] = [];
    for (const [who, owner] of [
      ['large', large],
      ['usual', usual],
    ] as const)
      for (const entry of asked) figures.push(await measure(server.url, who, owner, entry));
    record('lists', figures, [
      `p50 and p95 over HTTP, row security and all: ${calls.alone} calls one after the other, then ${calls.together} calls ${calls.width} at a time. Large: an account with a tenth of all devices in a thousand networks, 1,000 jobs, 20,000 log rows. Usual: 90 devices in 9 networks. The budget is for one call at a time; at ten at a time the p95 has to hold. CPU: of the program and of the database, per call; what others do on the machine hardly changes it.`,
    ]);
  } finally {
    await server.stop();
  }
} finally {
  await database.stop();
  removeFolder(folder, [join(folder, 'database')]);
}

/** CPU time so far, milliseconds. */
function cpuUsed(): { program: number; database: number } {
  return { program: cpuOf(serverPid), database: cpuOfFamily(database.pid) };
}

async function measure(
  url: string,
  who: string,
  owner: Owner,
  { name, path, body }: (typeof asked)[number],
): Promise<Figure> {
  const call = async () => {
    const began = performance.now();
    await expectDone(post(url, path, body, owner.token));
    return performance.now() - began;
  };
  for (let at = 0; at < calls.warm; at += 1) await call();
  const alone: number[] = [];
  for (let at = 0; at < calls.alone; at += 1) alone.push(await call());
  const before = cpuUsed();
  const together = await inParallel(Array.from({ length: calls.together }), calls.width, call);
  const after = cpuUsed();
  const [p50, p95, crowded] = [quantile(alone, 0.5), quantile(alone, 0.95), quantile(together, 0.95)];
  const cpu = (['program', 'database'] as const).map((part) => ms((after[part] - before[part]) / calls.together));
  const measured = `${ms(p50)} / ${ms(p95)}; ${calls.width} at a time ${ms(quantile(together, 0.5))} / ${ms(crowded)}; CPU ${cpu.join(' + ')}`;
  console.log(`${who} ${name}: ${measured}`);
  return {
    what: `${who}: ${name}`,
    measured,
    budget: `≤ ${budget.p50} / ${budget.p95} ms`,
    holds: p50 <= budget.p50 && p95 <= budget.p95 && crowded <= budget.p95,
  };
}
