import { enrol } from '../packages/edge/src/enrol.ts';
import { TestConsole, type TestSession } from '../packages/edge/src/testing/index.ts';
import { ask, startPart } from './lib/parts.ts';
import { kib, slope } from './lib/stats.ts';
import { atMost, record } from './results.ts';

/**
 * `npx tsx bench/edge-reconnect.ts [reconnects]`: memory of the agent's client over a day on a bad WAN (a reconnect
 * every eleven seconds).
 */

const reconnects = Number(process.argv[2] ?? 8000);
/** Sampling interval, in reconnects. */
const every = 250;
const flags = '--max-old-space-size=64 --max-semi-space-size=1 --v8-pool-size=1';
const serial = '53494d000001';

export interface Held {
  reconnects: number;
  heap: number;
  external: number;
  resident: number;
  files: number;
  timers: number;
}

const console_ = await TestConsole.start();
const part = startPart('edge/reconnecter.ts', { NODE_OPTIONS: flags });
const samples: Held[] = [];
const ways: Record<string, number> = {};
try {
  const identity = await enrol({ consoleUrl: console_.url, bindingCode: 'CODE', serial });
  let session = console_.session();
  part.send({ start: identity });
  for (let count = 0; count <= reconnects; count += 1) {
    const open = await session;
    await open.message('connect');
    session = console_.session();
    if (count % every === 0) {
      samples.push({ reconnects: count, ...(await ask<Omit<Held, 'reconnects'>>(part, { look: true })) });
      console_.sessions.length = 0;
    }
    await end(open, count);
  }
} finally {
  part.kill('SIGKILL');
  await console_.stop();
}

async function end(open: TestSession, count: number): Promise<void> {
  const way = (['cut', 'closed', 'in a reply', 'after a report', 'half a frame'] as const)[count % 5]!;
  ways[way] = (ways[way] ?? 0) + 1;
  if (way === 'closed') open.socket.close(1012);
  else if (way === 'half a frame') {
    open.request.socket.write(Buffer.from([0x81, 0x7e, 0x10]));
    open.request.socket.destroy();
  } else {
    if (way === 'in a reply') open.send('script', { type: 'shell', script: '', timeout: 1 });
    if (way === 'after a report') await open.command('request', { message: 'state', request_uuid: String(count) });
    open.socket.terminate();
  }
}

// the first half contains compilation and caches
const settled = samples.slice(Math.floor(samples.length / 2));
const [first, last] = [settled[0]!, samples.at(-1)!];
const of = (what: 'heap' | 'external' | 'resident') =>
  slope(settled.map((sample) => [sample.reconnects, sample[what]] as const));
const perReconnect = (bytes: number) => `${bytes.toFixed(1)} bytes`;
record(
  'edgeReconnect',
  [
    {
      what: 'reconnects',
      measured: `${reconnects} (${Object.entries(ways)
        .map(([way, count]) => `${count} ${way}`)
        .join(', ')})`,
    },
    {
      what: 'heap after a collection, in the middle / at the end',
      measured: `${kib(first.heap)} / ${kib(last.heap)}`,
    },
    atMost('heap: growth for each reconnect', of('heap'), 100, perReconnect),
    atMost('memory outside the heap: growth for each reconnect', of('external'), 100, perReconnect),
    { what: 'resident memory: growth for each reconnect', measured: perReconnect(of('resident')) },
    atMost('open files more at the end than in the middle', last.files - first.files, 0, String),
    atMost('timers more at the end than in the middle', last.timers - first.timers, 0, String),
  ],
  [
    `The agent's protocol client in a process of its own, with a clock that waits a five-hundredth of each requested time; memory is measured every ${every} reconnects. Growth by least squares over the second half: what is compiled and cached comes in the first. The parts of the agent that measure are not in it: they do not know of sessions.`,
    `Resident memory at each look, MB: ${samples.map(({ resident }) => Math.round(resident / 1e6)).join(', ')}.`,
    `Heap at each look, KiB: ${samples.map(({ heap }) => Math.round(heap / 1024)).join(', ')}.`,
  ],
);
process.exit(0);
