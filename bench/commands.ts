import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connectNats } from '../packages/server/src/platform/bus/index.ts';
import { askDevice, type Measurement } from './commands/ask.ts';
import { register } from './lib/client.ts';
import { startDatabase } from './lib/database.ts';
import { BenchDevice, enrol, serialOf } from './lib/device.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { committed, hearAll } from './lib/hear-all.ts';
import { hasNats, startNats } from './lib/nats.ts';
import { answer, ask, startPart } from './lib/parts.ts';
import { cpuOf } from './lib/process.ts';
import { isReady } from './lib/server.ts';
import { ms, pause, quantile } from './lib/stats.ts';
import { metric } from './lib/whole-program.ts';
import { type Figure, record } from './results.ts';

/**
 * `npx tsx bench/commands.ts [devices]`: round trip of a command over bus and socket, without the device's time, while
 * others report about 20 KB each. Measures NATS if installed.
 */

const devices = Number(process.argv[2] ?? 1000);
const accounts = 10;
const rates = [0, 200, 500, 1000, 1700, 2500];
const budget = { rate: 1700, p99: 30 };
const perRate = 300;
const gap = 10;
/** Milliseconds: warm-up, minimum measuring time. */
const warm = 5000;
const window = 10_000;

const figures: Figure[] = [];
figures.push(...(await measure('in-process bus')));
if (hasNats) {
  const nats = await startNats();
  figures.push(...(await measure('NATS', nats.url).finally(nats.stop)));
}
record('commands', figures, [
  `Up to ${perRate} commands per line, one every ${gap} ms or as soon as the last is answered. Reports come from ${devices} devices, each of which sent two reports before, ${warm / 1000} s before a line begins and for ${window / 1000} s or as long as its commands take; "shed" is what a newer report of the same device replaced before it was written. CPU is the program's own, in cores. The last line of a bus is the first rate that this machine did not hold, generator included, or the highest tried.`,
]);

async function measure(name: string, busUrl?: string): Promise<Figure[]> {
  const folder = makeFolder();
  const dataDir = join(folder, 'data');
  const [httpPort = 0, devicePort = 0] = await freePorts(2);
  const database = await startDatabase(folder);
  const host = startPart('commands/host.ts', {
    YUNXUN_DATABASE_URL: database.url,
    BENCH_CLOCK: 'quick',
    YUNXUN_DATA: dataDir,
    YUNXUN_HOST: '127.0.0.1',
    YUNXUN_PUBLIC_URL: `http://127.0.0.1:${httpPort}`,
    YUNXUN_DEVICE_HOST: 'localhost',
    YUNXUN_HTTP_PORT: String(httpPort),
    YUNXUN_DEVICE_PORT: String(devicePort),
    ...(busUrl && { YUNXUN_BUS_URL: busUrl }),
  });
  const bus = busUrl ? await connectNats({ url: busUrl, failed: () => undefined }) : null;
  let reporters: ChildProcess | undefined;
  let alive: NodeJS.Timeout | undefined;
  try {
    await answer(host);
    const url = `http://127.0.0.1:${httpPort}`;
    if (!(await isReady(url))) throw new Error('the program is not ready');
    const owners = await Promise.all(Array.from({ length: accounts }, () => register(url, dataDir)));
    const [owner] = owners;
    if (!owner) throw new Error('no account');
    const device = await BenchDevice.open(await enrol(url, owner.bindingCode, serialOf(0xfffff)));
    device.onCommand = ({ id }) => {
      const received = performance.now();
      device.reply(id, { status: { error: 0, text: 'Success' }, spentMs: performance.now() - received });
    };
    device.sayConnect();
    // the accelerated clock makes minutes of silence between pings
    alive = setInterval(() => device.ping(), 200);
    reporters = startPart('commands/reporters.ts');
    reporters.send({ setup: { url, devices, bindingCodes: owners.map((one) => one.bindingCode) } });
    const { frameBytes } = (await answer(reporters)) as { frameBytes: number };
    await hearAll(url, host, reporters, devices);
    const wanted: Measurement = { accountId: owner.accountId, serial: device.identity.serial, count: perRate, gap };
    const results: Figure[] = [];
    for (const rate of rates) {
      reporters.send({ rate });
      host.send({ speed: Math.max(1, (60 * rate) / devices) });
      await pause(warm);
      const before = await counted(url, reporters);
      const cpu = cpuOf(host.pid as number);
      const began = performance.now();
      const times = bus ? await askDevice(bus, wanted) : await askHost(host, wanted);
      await pause(Math.max(0, window - (performance.now() - began)));
      const took = (performance.now() - began) / 1000;
      const after = await counted(url, reporters);
      const cores = (cpuOf(host.pid as number) - cpu) / 1000 / took;
      const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
      const perSecond = (what: keyof typeof after) => ((after[what] - before[what]) / took).toFixed(0);
      const what =
        rate === 0
          ? `${name}, nothing else`
          : `${name}, ${rate} reports/s of ${Math.round(frameBytes / 1000)} kB (sent ${perSecond('sent')}/s, committed ${perSecond('committed')}/s, shed ${perSecond('shed')}/s, ${cores.toFixed(2)} cores)`;
      const held = rate === budget.rate ? { budget: `p99 ≤ ${budget.p99} ms`, holds: p99 <= budget.p99 } : {};
      results.push({ what, measured: `p50 ${ms(p50)}, p99 ${ms(p99)}`, ...held });
      console.log(what, results.at(-1)?.measured);
      if (after.committed - before.committed < rate * took * 0.9) break;
    }
    device.cut();
    return results;
  } finally {
    clearInterval(alive);
    reporters?.kill('SIGTERM');
    await bus?.close();
    if (host.exitCode === null && host.signalCode === null) {
      const ended = once(host, 'exit');
      host.send('stop');
      await ended;
    }
    await database.stop();
    removeFolder(folder, [join(folder, 'database'), dataDir]);
  }
}

async function askHost(host: ChildProcess, wanted: Measurement): Promise<number[]> {
  return (await ask<{ times: number[] }>(host, wanted)).times;
}

async function counted(
  url: string,
  reporters: ChildProcess,
): Promise<{ sent: number; committed: number; shed: number }> {
  const { sent } = await ask<{ sent: number }>(reporters, 'count');
  return { sent, committed: await committed(url), shed: await metric(url, 'yunxun_state_messages_shed_total') };
}
