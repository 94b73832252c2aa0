import type { Measurement } from './commands/ask.ts';
import { ask } from './lib/parts.ts';
import { cpuOf, waitOf } from './lib/process.ts';
import { median, megabytes, ms, pause, quantile } from './lib/stats.ts';
import type { Browsed, Browsing } from './remote/browse.ts';
import type { Keys } from './remote/pages.ts';
import { type Account, asked, type Memory, startScene } from './remote/scene.ts';
import { siteAddress } from './remote/site.ts';
import { atMost, type Figure, record } from './results.ts';

/** `npx tsx bench/remote.ts [accounts]`: remote sessions on one core, 20 an account; memory, keys, streams, web pages. */

const accounts = Number(process.argv[2] ?? 10);
const each = { aps: 18, gateways: 2 };
const ofAccount = each.aps + each.gateways;
const sessions = accounts * ofAccount;
/** Bytes a session, MB/s, and milliseconds. */
const budgets = { session: 200e3, stream: 25, commands: 30, key: 10 };
const isDry = Boolean(process.env.BENCH_DRY);
const counts = isDry
  ? { commands: 50, keys: 30, pages: 50, together: 100, downloads: 1 }
  : { commands: 300, keys: 300, pages: 300, together: 2000, downloads: 5 };
const width = 6;
/** Milliseconds between commands, and between keys. */
const gap = 10;
/** Milliseconds until what has ended is gone, and until a stream is even. */
const [settle, warm] = isDry ? [500, 300] : [1500, 2000];
/** Bytes; a session replays fewer. */
const printed = 300_000;
/** MB/s; more than can be. */
const unlimited = 1000;

const quantiles = (times: readonly number[], ...shares: number[]) =>
  shares.map((share) => ms(quantile(times, share))).join(' / ');
const held = ({ heap, buffers }: Memory) => heap + buffers;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;
const rate = ({ perSecond }: Browsed) => `${perSecond.toFixed(0)}/s`;
const speed = ({ downloads }: Browsed) => `${quantile(downloads, 0.5).toFixed(0)} MB/s`;
const figures: Figure[] = [];
const show = (...more: Figure[]) => {
  for (const { what, measured } of more) console.log(`${what}: ${measured}`);
  figures.push(...more);
};

const scene = await startScene({ accounts, ...each });
const { probe, server } = scene;
try {
  const before = await scene.memory(settle);
  const points = [before];
  for (const account of scene.accounts) {
    await openAll(account);
    points.push(await scene.memory(settle));
  }
  const open = points.at(-1)!;
  await ask(scene.crowd.devices, { print: printed });
  const full = await scene.memory(settle);
  const perSession = (part: 'resident' | 'heap') =>
    median(points.slice(1).map((memory, at) => (memory[part] - points[at]![part]) / ofAccount));
  show(atMost(`memory of a session, of ${sessions} that open`, perSession('resident'), budgets.session, kilobytes), {
    what: `of it heap; heap and buffers more after each printed ${kilobytes(printed)}, of which 256 KiB are kept; all of the program then`,
    measured: `${kilobytes(perSession('heap'))}; ${kilobytes((held(full) - held(open)) / sessions)}; ${megabytes(full.resident)}`,
  });
  const [ap = '', commanded = '', gateway = ''] = probe.serials;
  const [rtty, agent] = await scene.open(probe, [
    [probe, ap],
    [probe, gateway],
  ]);
  const timed = { commanded, rtty: rtty!.id, agent: agent!.id };
  await measure('no stream', 0, timed);
  await measure(`${budgets.stream * 8} Mbit/s`, budgets.stream, timed);
  await measure('as much as it takes', unlimited, timed);
  await measureWeb(gateway);
  const { ended } = await ask<{ ended: number }>(scene.crowd.pages, 'count');
  if (ended > 0) throw new Error(`${ended} sessions were lost`);
  for (const account of scene.accounts) await scene.end(account);
  const after = await scene.memory(settle);
  show({
    what: 'heap and buffers before the sessions; after their end',
    measured: `${megabytes(held(before))}; ${megabytes(held(after))}`,
  });
  record('remote', figures, [
    `The program, all roles in one process, has one core for itself (taskset); devices, pages, database and NATS share the other. Sessions: ${accounts * each.aps} of access points (rtty) and ${accounts * each.gateways} of gateways (HTTP/2), each with its page. Memory is resident memory after a collection of garbage: the median of what each ${ofAccount} sessions add, for some of the start's is given back meanwhile. Streams come from all these gateways at once, in pieces of 16 KiB. Commands and keys are those of further devices and pages, in processes of their own: ${counts.commands} commands through NATS, one every ${gap} ms or as soon as the last is answered; ${counts.keys} keys, each followed by the same byte over a plain TLS connection between the same two processes, "the network". Web: a page whose addresses are replaced, and a file of 20 MB, from the device itself and through a session, while the others are open. Where the program waited for its core, others used it, and times are longer than its own.`,
  ]);
} finally {
  await scene.stop();
}

function openAll(owner: Account) {
  return scene.open(
    scene.crowd,
    owner.serials.map((serial) => [owner, serial] as const),
  );
}

/** Commands and keys while gateways print `mbps` MB/s together. */
async function measure(name: string, mbps: number, to: Record<'commanded' | 'rtty' | 'agent', string>): Promise<void> {
  scene.crowd.devices.send({ rate: mbps * 1e6 });
  await pause(warm);
  const count = () => ask<{ bytes: number }>(scene.crowd.pages, 'count');
  const bytes = (await count()).bytes;
  const before = { cpu: cpuOf(server.pid), wait: waitOf(server.pid) };
  const began = performance.now();
  const commands: Measurement = { accountId: probe.accountId, serial: to.commanded, count: counts.commands, gap };
  const { times } = await ask<{ times: number[] }>(probe.pages, { commands: { ...commands, busUrl: scene.busUrl } });
  const keys: Figure[] = [];
  for (const [kind, id] of [
    ['access point', to.rtty],
    ['gateway', to.agent],
  ] as const) {
    const wanted: Keys = { id, echoPort: probe.echoPort, count: counts.keys, gap };
    const pressed = await ask<{ times: number[]; network: number[] }>(probe.pages, { keys: wanted });
    const beyond = quantile(pressed.times, 0.99) - quantile(pressed.network, 0.99);
    keys.push({
      what: `${name}: a key of ${kind === 'gateway' ? 'a' : 'an'} ${kind}, p50 / p99; the network; p99 beyond it`,
      measured: `${quantiles(pressed.times, 0.5, 0.99)}; ${quantiles(pressed.network, 0.5, 0.99)}; ${ms(beyond)}`,
      ...(mbps !== unlimited && { budget: `≤ ${budgets.key} ms`, holds: beyond <= budgets.key }),
    });
  }
  const took = (performance.now() - began) / 1000;
  const used = (cpuOf(server.pid) - before.cpu) / 1000 / took;
  const waited = (waitOf(server.pid) - before.wait) / 10 / took;
  const reached = ((await count()).bytes - bytes) / 1e6 / took;
  show({
    what: `${name}, of ${accounts * each.gateways} gateways: reached; CPU; part of the time that the program waited for its core`,
    measured: `${(reached * 8).toFixed(0)} Mbit/s; ${used.toFixed(2)} cores; ${waited.toFixed(1)} %`,
    ...(mbps === budgets.stream && { budget: `${mbps * 8} Mbit/s`, holds: reached >= mbps * 0.98 }),
  });
  const p99 = quantile(times, 0.99);
  show(
    {
      what: `${name}: commands to another device, p50 / p95 / p99`,
      measured: quantiles(times, 0.5, 0.95, 0.99),
      ...(mbps !== unlimited && { budget: `p99 ≤ ${budgets.commands} ms`, holds: p99 <= budgets.commands }),
    },
    ...keys,
  );
  scene.crowd.devices.send({ rate: 0 });
  await pause(warm);
}

async function measureWeb(gateway: string): Promise<void> {
  const { gwid, pages } = probe;
  await scene.database.owner.query('update network set gateway_serial = $1 where gwid = $2', [gateway, gwid]);
  const camera = { gwid, name: 'Camera', type: 'camera', ip: siteAddress, mode: 'icmp', detect_port: null };
  const { id: peripheral_id } = await scene.call<{ id: string }>(probe, 'peripheral/create', {
    ...camera,
    web_port: 80,
    shell_port: null,
  });
  const { id } = await scene.call<{ id: string }>(probe, 'remote/open', { ...asked, peripheral_id, kind: 'web' });
  const enter = () => scene.call<{ address: string | null }>(probe, 'remote/web/enter', { id });
  let { address } = await enter();
  for (; address === null; { address } = await enter()) await pause(250);
  const ports = { session: Number(new URL(server.url).port), direct: probe.sitePort };
  const { pages: count, ...rest } = counts;
  const wanted: Browsing = { ports, address, count, width, ...rest };
  const { direct, session } = await ask<Record<'direct' | 'session', Browsed>>(pages, { browse: wanted });
  const added = [0.5, 0.99].map((share) => ms(quantile(session.times, share) - quantile(direct.times, share)));
  show(
    {
      what: `a web page of ${session.page} B, p50 / p99: directly; by a session; added`,
      measured: `${quantiles(direct.times, 0.5, 0.99)}; ${quantiles(session.times, 0.5, 0.99)}; ${added.join(' / ')}`,
    },
    { what: `the page ${width} at a time: directly; by a session`, measured: `${rate(direct)}; ${rate(session)}` },
    { what: 'a file of 20 MB: directly; by a session', measured: `${speed(direct)}; ${speed(session)}` },
  );
}
