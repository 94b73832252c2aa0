import { expectDone, type Owner, post, register } from './lib/client.ts';
import { BenchDevice, enrol, serialOf } from './lib/device.ts';
import { ask, startPart } from './lib/parts.ts';
import { cpuOf, cpuOfFamily, residentOf } from './lib/process.ts';
import { megabytes, ms, pause, quantile, seconds } from './lib/stats.ts';
import { metric, startWholeProgram, type WholeProgram } from './lib/whole-program.ts';
import { type Figure, record } from './results.ts';
import type { Storm } from './storm/devices.ts';

/**
 * `npx tsx bench/storm.ts [devices]`: 10,000 devices reconnect at once and report, without TLS tickets (restart) and
 * with (network outage), during commands and page reads.
 */

const count = Number(process.argv[2] ?? 10_000);
const accounts = 20;
const timeout = 600_000;

const program = await startWholeProgram();
const part = startPart('storm/devices.ts');
const figures: Figure[] = [];
try {
  const { url, dataDir, devicePort, database } = program;
  const owners = await Promise.all(Array.from({ length: accounts }, () => register(url, dataDir)));
  const [owner] = owners as [Owner];
  const other = await BenchDevice.open(await enrol(url, owner.bindingCode, serialOf(0xfffff)));
  other.onCommand = ({ id }) => other.reply(id, { status: { error: 0, text: 'Success' }, spentMs: 0 });
  other.sayConnect();
  const accountIds = owners.map(({ accountId }) => accountId);
  await ask(part, { seed: { databaseUrl: database.url, dataDir, accountIds, count, port: devicePort } });
  console.log(`${count} devices have their certificates`);
  figures.push(...(await measure(owner, 'no tickets')));
  const { kept } = await ask<{ kept: number }>(part, 'cut');
  if (kept < count * 0.99) throw new Error(`only ${kept} devices have a ticket`);
  await until('select count(*) = 1 as ok from device_link where connected_since is not null', []);
  figures.push(...(await measure(owner, 'tickets')));
  other.cut();
  record('storm', figures, [
    `All ${count} connections are begun in one moment, by a process that does the other half of every handshake on the same two cores; a rejected device reconnects after 5 s. Online: the database says so. First reports, of 20 kB each, are sent right after \`connect\` and count when they are committed. Commands are asked of another device and pages of its account all the while; the loop's delay is the longest of the program's main thread within two seconds.`,
  ]);
} finally {
  part.kill('SIGTERM');
  await program.stop();
}

async function measure(owner: Owner, how: 'no tickets' | 'tickets'): Promise<Figure[]> {
  const { pid, database } = program;
  // reading resets the histogram
  await metric(program.url, 'nodejs_eventloop_lag_max_seconds');
  const { rows } = await database.owner.query<{ now: Date }>('select now()');
  const since = rows[0]?.now;
  const before = { ...(await counted(program)), program: cpuOf(pid), database: cpuOfFamily(database.pid) };
  const began = performance.now();
  const watching = watch(owner);
  const reported = ask<Storm>(part, { storm: how });
  await until('select count(*) > $1 as ok from device_link where connected_since is not null', [count]);
  const online = performance.now() - began;
  await until('select count(*) >= $1 as ok from device_counters where at >= $2', [count, since]);
  const committed = performance.now() - began;
  const { failures, resumed } = await reported;
  const seen = await watching.end();
  const after = { ...(await counted(program)), program: cpuOf(pid), database: cpuOfFamily(database.pid) };
  const cpu = (what: 'program' | 'database') => seconds(after[what] - before[what]);
  const reasons = Object.entries(failures).map(([reason, times]) => `${times} × ${reason}`);
  const { times } = await ask<{ times: number[] }>(program.host, {
    accountId: owner.accountId,
    serial: serialOf(0xfffff),
    count: 100,
    gap: 10,
  });
  const results = [
    { what: 'all online', measured: `${seconds(online)}, ${(count / (online / 1000)).toFixed(0)} a second` },
    { what: 'first reports of all committed', measured: seconds(committed) },
    {
      what: 'connections that came to nothing; refused by the program; reports shed',
      measured: `${reasons.join(', ') || 'none'}; ${after.refused - before.refused}; ${after.shed - before.shed}`,
    },
    { what: 'resumed', measured: `${resumed} of ${count}` },
    { what: 'CPU of program / database', measured: `${cpu('program')} / ${cpu('database')}` },
    { what: 'resident memory of the program afterwards', measured: megabytes(residentOf(pid)) },
    {
      what: 'delay of the loop, median / longest',
      measured: `${ms(quantile(seen.delays, 0.5))} / ${ms(Math.max(...seen.delays))}`,
    },
    {
      what: 'commands of another device meanwhile, p50 / p99 (afterwards)',
      measured: `${ms(quantile(seen.commands, 0.5))} / ${ms(quantile(seen.commands, 0.99))} (${ms(quantile(times, 0.5))} / ${ms(quantile(times, 0.99))})`,
    },
    {
      what: 'a page of networks meanwhile, p50 / p99',
      measured: `${ms(quantile(seen.pages, 0.5))} / ${ms(quantile(seen.pages, 0.99))}`,
    },
  ].map(({ what, measured }) => ({ what: `${how}: ${what}`, measured }));
  for (const { what, measured } of results) console.log(what, measured);
  return results;
}

function watch(owner: Owner) {
  const { url, host } = program;
  let over = false;
  const delays: number[] = [];
  const pages: number[] = [];
  const commands: number[] = [];
  const loop = async (gap: number, work: () => Promise<void>) => {
    while (!over) {
      await work();
      await pause(gap);
    }
  };
  const asked = { accountId: owner.accountId, serial: serialOf(0xfffff), count: 10, gap: 50 };
  const all = Promise.all([
    loop(2000, async () => {
      delays.push((await metric(url, 'nodejs_eventloop_lag_max_seconds')) * 1000);
    }),
    loop(200, async () => {
      const began = performance.now();
      await expectDone(post(url, '/api/v3/network/list', { limit: 20 }, owner.token));
      pages.push(performance.now() - began);
    }),
    loop(50, async () => {
      commands.push(...(await ask<{ times: number[] }>(host, asked)).times);
    }),
  ]);
  return {
    async end() {
      over = true;
      await all;
      return { delays, pages, commands };
    },
  };
}

async function counted({ url }: WholeProgram): Promise<{ refused: number; shed: number }> {
  return {
    refused: await metric(url, 'yunxun_device_refusals_total'),
    shed: await metric(url, 'yunxun_state_messages_shed_total'),
  };
}

async function until(query: string, values: unknown[]): Promise<void> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const { rows } = await program.database.owner.query<{ ok: boolean }>(query, values);
    if (rows[0]?.ok) return;
    if (Date.now() > deadline) throw new Error(`not after ten minutes: ${query}`);
    await pause(100);
  }
}
