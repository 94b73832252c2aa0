import { join } from 'node:path';
import { expectDone, type Owner, post, register } from './lib/client.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { cpuOf } from './lib/process.ts';
import { startServer } from './lib/server.ts';
import { inParallel, ms, pause, quantile } from './lib/stats.ts';
import { atMost, record } from './results.ts';

/**
 * `npx tsx bench/sign-in.ts [people]`: latency of an unrelated call during 50 password sign-ins and without,
 * alternating.
 */

const people = Number(process.argv[2] ?? 50);
const rounds = 5;
const perRound = 200;
/** Interval of unrelated calls, in milliseconds. */
const gap = 10;
/** 99th percentile of a list endpoint, in milliseconds. */
const budget = 150;

const folder = makeFolder();
const dataDir = join(folder, 'data');
const [httpPort = 0, devicePort = 0] = await freePorts(2);
const server = await startServer({ dataDir, httpPort, devicePort });
try {
  const owners = await inParallel(Array.from({ length: people }), 4, () => register(server.url, dataDir));
  const other = await register(server.url, dataDir);
  for (let at = 0; at < 20; at += 1) {
    await expectDone(post(server.url, '/api/v3/network/create', { remark: `Site-${at}` }, other.token));
  }
  await unrelated(other, perRound);
  const alone: number[] = [];
  const beside: number[] = [];
  const signIns: number[] = [];
  let spent = 0;
  let cpu = 0;
  for (let round = 0; round < rounds; round += 1) {
    alone.push(...(await unrelated(other, perRound)));
    const storm = startStorm(owners);
    const [began, before] = [performance.now(), cpuOf(server.pid)];
    beside.push(...(await unrelated(other, perRound)));
    cpu += cpuOf(server.pid) - before;
    spent += performance.now() - began;
    signIns.push(...(await storm.stop()));
  }
  const show = (values: readonly number[]) => `p50 ${ms(quantile(values, 0.5))}, p99 ${ms(quantile(values, 0.99))}`;
  const [quiet, crowded] = [quantile(alone, 0.99), quantile(beside, 0.99)];
  record(
    'signIn',
    [
      { what: 'network/list without sign-ins', measured: show(alone) },
      { what: `network/list while ${people} sign in`, measured: show(beside) },
      atMost(`p99 of network/list while ${people} sign in`, crowded, budget, ms),
      { what: 'that p99 over the one without', measured: `${(crowded / quiet).toFixed(1)} times` },
      { what: `a sign-in while ${people} do`, measured: show(signIns) },
      {
        what: 'sign-ins per second; CPU of the program meanwhile, hashing included',
        measured: `${((signIns.length / spent) * 1000).toFixed(0)}; ${(cpu / spent).toFixed(2)} cores`,
      },
    ],
    [
      `${rounds} rounds of ${perRound} calls without and ${perRound} with sign-ins, one call every ${gap} ms or as soon as the last is answered. ${people} people sign in with the right password, each again as soon as they are in, so that as many are always on their way. The generator and the database run on the same cores.`,
    ],
  );
} finally {
  await server.stop();
  removeFolder(folder, [dataDir]);
}

async function unrelated(owner: Owner, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const began = performance.now();
    await expectDone(post(server.url, '/api/v3/network/list', { limit: 20 }, owner.token));
    times.push(performance.now() - began);
    await pause(gap);
  }
  return times;
}

function startStorm(owners: readonly Owner[]): { stop(): Promise<number[]> } {
  const times: number[] = [];
  let going = true;
  const all = owners.map(async ({ email, password }, at) => {
    for (let turn = 0; going; turn += 1) {
      // several addresses per person avoid the rate limit
      const address = `10.1.${at}.${1 + (turn % 4)}`;
      const began = performance.now();
      await expectDone(post(server.url, '/api/v3/login', { email, password }, undefined, address));
      times.push(performance.now() - began);
    }
  });
  return {
    async stop() {
      going = false;
      await Promise.all(all);
      return times;
    },
  };
}
