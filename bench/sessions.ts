import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectDone, type Owner, post, register } from './lib/client.ts';
import { type BenchDatabase, startDatabase } from './lib/database.ts';
import { BenchDevice, enrol, type Identity, serialOf } from './lib/device.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { startNats } from './lib/nats.ts';
import { cpuOf, cpuOfFamily, residentOf } from './lib/process.ts';
import { seedDevices } from './lib/seeded-devices.ts';
import { type RunningServer, startServer } from './lib/server.ts';
import { inParallel, megabytes, ms, pause, quantile, seconds } from './lib/stats.ts';
import { atMost, type Figure, record } from './results.ts';

/** `npx tsx bench/sessions.ts [devices]`: memory and CPU (/proc) of 10,000 TLS sessions on one gateway process. */

const count = Number(process.argv[2] ?? 10_000);
const accounts = 20;
const width = 16;
const sample = Math.min(1000, count);
const slice = 250;
const idleSeconds = 20;
const probes = 20;
const budgets = { memory: 600e6, handshake: 2.3, resumed: 0.8, online: 1000, offline: 2000 };

checkOpenFiles(count);
const folder = makeFolder();
const dataDir = join(folder, 'data');
const running: { stop(): Promise<void> }[] = [];
try {
  const database = await startDatabase(folder);
  running.push(database);
  const [httpPort = 0, devicePort = 0, unused = 0] = await freePorts(3);
  const nats = await startNats();
  running.push(nats);
  const shared = { dataDir: makeFolder(folder), databaseUrl: database.url, busUrl: nats.url };
  const front = await startServer({ ...shared, roles: 'console,worker', httpPort, devicePort });
  running.push(front);
  const gateway = await startServer({ ...shared, roles: 'gateway', httpPort: unused, devicePort });
  running.push(gateway);
  const figures = await measure(database, front, gateway);
  const began = performance.now();
  await gateway.stop();
  figures.push({ what: `the gateway stops with ${count} sessions open`, measured: seconds(performance.now() - began) });
  record('sessions', figures, [
    `CPU is the gateway's own, user and system, per session; ${width} connections at a time. The WebSocket upgrade asks the database whether the certificate counts. "Shown" is what the list endpoint says, asked every few milliseconds while ${count} sessions are held.`,
  ]);
} finally {
  for (const part of running.toReversed()) await part.stop();
  removeFolder(folder, [join(folder, 'database'), dataDir]);
}

async function measure(database: BenchDatabase, front: RunningServer, gateway: RunningServer): Promise<Figure[]> {
  const owners: Owner[] = [];
  for (let at = 0; at < accounts; at += 1) owners.push(await register(front.url, front.dataDir));
  const began = performance.now();
  const tried = 100;
  for (let at = 0; at < tried; at += 1)
    await enrol(front.url, (owners[at % accounts] as Owner).bindingCode, serialOf(0xf0000 + at));
  const enrolled = (performance.now() - began) / tried;
  const identities = await seedDevices(database, {
    dataDir: front.dataDir,
    accountIds: owners.map((owner) => owner.accountId),
    count,
    port: gateway.devicePort,
  });
  console.log(`${count} devices have their certificates`);

  await closeAll(await handshakes(identities.slice(0, 300)));
  await pause(1000);
  const before = residentOf(gateway.pid);

  const full = await costOf(gateway.pid, sample, () => handshakes(identities.slice(0, sample)));
  await pause(500);
  const tickets = full.result.map((device) => device.ticket);
  await closeAll(full.result);
  const resumed = await costOf(gateway.pid, sample, () => handshakes(identities.slice(0, sample), tickets));
  const reused = resumed.result.filter((device) => device.socket.isSessionReused()).length;
  if (reused < sample * 0.99) throw new Error(`only ${reused} of ${sample} sessions were resumed`);
  await closeAll(resumed.result);
  await pause(2000);

  const devices: BenchDevice[] = [];
  const spent = { opening: 0, connecting: 0, database: 0, took: 0 };
  // in slices: a minute of silence disconnects
  for (let at = 0; at < count; at += slice) {
    const next = identities.slice(at, at + slice);
    const opened = await costOf(gateway.pid, 1, () =>
      inParallel(next, width, (identity) => BenchDevice.open(identity)),
    );
    devices.push(...opened.result);
    const databaseBefore = cpuOfFamily(database.pid);
    const connected = await costOf(gateway.pid, 1, async () => {
      for (const device of opened.result) device.sayConnect();
      await untilOnline(database, devices.length);
    });
    spent.opening += opened.cpu;
    spent.connecting += connected.cpu;
    spent.database += cpuOfFamily(database.pid) - databaseBefore;
    spent.took += opened.took + connected.took;
  }
  console.log(`${count} devices online in ${seconds(spent.took)}`);
  await pause(5000);
  const held = residentOf(gateway.pid);
  const idle = await costOf(gateway.pid, 1, () => pause(idleSeconds * 1000));

  const seen = await probePresence(front, owners[0] as Owner);
  const lost = devices.filter((device) => device.socket.destroyed).length;
  if (lost > 0) throw new Error(`${lost} sessions were lost while they were held`);
  const again = devices.splice(0, sample);
  const kept = again.map((device) => device.ticket);
  await closeAll(again);
  await untilOffline(database, sample);
  const back = await costOf(gateway.pid, sample, () =>
    inParallel(identities.slice(0, sample), width, (identity, at) => BenchDevice.open(identity, kept[at])),
  );

  return [
    atMost(`memory of the gateway with ${count} sessions`, held, budgets.memory, megabytes),
    {
      what: 'memory per session',
      measured: `${((held - before) / count / 1000).toFixed(1)} kB (${megabytes(before)} without any)`,
    },
    atMost('handshake, full (TLS 1.3, P-256, client certificate)', full.cpu, budgets.handshake, ms),
    atMost('handshake, resumed', resumed.cpu, budgets.resumed, ms),
    { what: 'handshake and WebSocket upgrade, full', measured: ms(spent.opening / count) },
    { what: 'handshake and WebSocket upgrade, resumed', measured: ms(back.cpu) },
    {
      what: '`connect` message until the device is online: gateway / database',
      measured: `${ms(spent.connecting / count)} / ${ms(spent.database / count)}`,
    },
    {
      what: 'devices connected per second, everything on this machine',
      measured: (count / (spent.took / 1000)).toFixed(0),
    },
    {
      what: `CPU with ${count} idle sessions`,
      measured: `${((idle.cpu / idleSeconds / 1000) * 100).toFixed(1)} % of a core`,
    },
    { what: 'enrolment through the front door', measured: `${enrolled.toFixed(1)} ms each, one after the other` },
    atMost('device connects → shown online, slowest of 20', Math.max(...seen.online), budgets.online, ms),
    { what: 'device connects → shown online, median', measured: ms(quantile(seen.online, 0.5)) },
    atMost('socket closes → shown offline, slowest of 20', Math.max(...seen.offline), budgets.offline, ms),
    { what: 'socket closes → shown offline, median', measured: ms(quantile(seen.offline, 0.5)) },
  ];
}

function handshakes(identities: readonly Identity[], tickets: readonly (Buffer | undefined)[] = []) {
  return inParallel(identities, width, (identity, at) => BenchDevice.shake(identity, tickets[at]));
}

async function closeAll(devices: readonly BenchDevice[]): Promise<void> {
  for (const device of devices) device.cut();
  await pause(1000);
}

async function costOf<T>(pid: number, pieces: number, work: () => Promise<T>) {
  const before = cpuOf(pid);
  const began = performance.now();
  const result = await work();
  const took = performance.now() - began;
  return { cpu: (cpuOf(pid) - before) / pieces, took, result };
}

async function untilOnline(database: BenchDatabase, wanted: number): Promise<void> {
  await until(database, 'connected_since is not null', wanted);
}

async function untilOffline(database: BenchDatabase, wanted: number): Promise<void> {
  await until(database, 'connected_since is null', wanted);
}

async function until(database: BenchDatabase, condition: string, wanted: number): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const { rows } = await database.owner.query<{ n: number }>(
      `select count(*)::int as n from device_link where ${condition}`,
    );
    const there = rows[0]?.n ?? 0;
    if (there >= wanted) return;
    if (Date.now() > deadline) throw new Error(`${there} of ${wanted} devices after two minutes`);
    await pause(20);
  }
}

async function probePresence(front: RunningServer, owner: Owner): Promise<{ online: number[]; offline: number[] }> {
  const serial = serialOf(0xfffff);
  const identity = await enrol(front.url, owner.bindingCode, serial);
  const shown = { online: [] as number[], offline: [] as number[] };
  for (let at = 0; at < probes; at += 1) {
    let began = performance.now();
    const device = await BenchDevice.open(identity);
    device.sayConnect();
    await untilListed(front, owner, serial, 'online');
    shown.online.push(performance.now() - began);
    began = performance.now();
    device.cut();
    await untilListed(front, owner, serial, 'offline');
    shown.offline.push(performance.now() - began);
  }
  return shown;
}

async function untilListed(front: RunningServer, owner: Owner, serial: string, status: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const { data } = await expectDone(
      post<{ list: { status: string }[] }>(front.url, '/api/v3/device/waiting/list', { keyword: serial }, owner.token),
    );
    if (data.list[0]?.status === status) return;
    await pause(3);
  }
  throw new Error(`${serial} is not shown ${status} after 30 s`);
}

function checkOpenFiles(sockets: number): void {
  const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
  if (limit < sockets + 500)
    throw new Error(`${sockets} sessions need more open files than ${limit}: raise \`ulimit -n\` to ${sockets + 500}`);
}
