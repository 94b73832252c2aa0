import { join } from 'node:path';
import { startFleet } from '@yunxun/simulator';
import { canCapture, openGuestPage } from '../packages/server/src/demo/guests.ts';
import { contentWith, freeLimits, newClient, sealedFas } from '../packages/server/src/features/portal/testing/guest.ts';
import { expectDone, type Owner, post, register } from './lib/client.ts';
import { startDatabase } from './lib/database.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { cpuOf, cpuOfFamily } from './lib/process.ts';
import { type RunningServer, startServer } from './lib/server.ts';
import { ms, pause, quantile, seconds } from './lib/stats.ts';
import { anyAddress, atRate, show, signIn } from './portal/guests.ts';
import { atMost, type Figure, record } from './results.ts';

/** `npx tsx bench/portal.ts [pages a second]`: sign-in pages on one core, and 1,000 guests in a minute. */

const rate = Number(process.argv[2] ?? 500);
const budget = { p99: 50, guests: 1000, withinMs: 60_000 };
/** Seconds. */
const lasting = process.env.BENCH_DRY ? 4 : 20;
const warm = 3;
/** A network writes at most 5,000 visits an hour. */
const networks = 20;
const guestsPerSecond = 20;

const folder = makeFolder();
const database = await startDatabase(folder);
const dataDir = makeFolder(folder);
const [httpPort = 0, devicePort = 0, portalPort = 0] = await freePorts(3);
try {
  const ports = { YUNXUN_PORTAL_PORT: String(portalPort) };
  const server = await startServer({
    dataDir,
    databaseUrl: database.url,
    httpPort,
    devicePort,
    environment: ports,
    core: 0,
  });
  try {
    const owner = await register(server.url, dataDir);
    const figures = [...shown(await pages(server, owner)), ...shown(await guests(server, owner))];
    record('portal', figures, [
      `The whole program, its threads included, runs on one core (taskset); the database, its commits on disk, the generator and the simulated gateway use all cores. Pages: encrypted redirects (openNDS level 3) of as many devices over ${networks} networks, each on a connection of its own, at an even rate for ${lasting} s; times run from the planned start of the request. Each writes a visit. Guests: ${guestsPerSecond} begin a second behind one Yunxun gateway; each loads page and stylesheet and signs in with one click, which is six requests and a command to the gateway and back, ${budget.guests} of them in the gateway's report.`,
    ]);
  } finally {
    await server.stop();
  }
} finally {
  await database.stop();
  removeFolder(folder, [join(folder, 'database')]);
}

async function call<T>({ url }: RunningServer, { token }: Owner, path: string, body: object): Promise<T> {
  return (await expectDone(post<T>(url, path, body, token))).data;
}

function shown(figures: Figure[]): Figure[] {
  for (const { what, measured } of figures) console.log(`${what}: ${measured}`);
  return figures;
}

async function pages(server: RunningServer, owner: Owner): Promise<Figure[]> {
  const { page, ...rest } = contentWith([{ kind: 'one_click', ...freeLimits }]);
  const { id } = await call<{ id: string }>(server, owner, '/api/v3/auth_template/create', {
    name: 'Lobby',
    page,
    ...rest,
  });
  await call(server, owner, '/api/v3/auth_template/publish', { id, revision: 1 });
  const sites: { base: string; key: string }[] = [];
  for (let at = 0; at < networks; at += 1) {
    const { gwid } = await call<{ gwid: string }>(server, owner, '/api/v3/network/create', { remark: `Site-${at}` });
    const { secrets } = await call<{ secrets: { settings: string } }>(server, owner, '/api/v3/portal/site/save', {
      gwid,
      enabled: true,
      template_id: id,
      gateway: 'opennds_3',
    });
    const key = /faskey='([\w-]{32})'/.exec(secrets.settings)![1]!;
    sites.push({ key, base: `http://127.0.0.1:${portalPort}/p/${/\/p\/([\w-]{22})\//.exec(secrets.settings)![1]!}` });
  }
  const redirects = Array.from({ length: rate * (lasting + warm) }, (_none, at) => {
    const { base, key } = sites[at % networks]!;
    return `${base}/fas?${sealedFas(newClient(), key)}`;
  });
  let bytes = 0;
  const load = (url: string) => async () => {
    const { status, text } = await show(url, anyAddress());
    if (status !== 200 || !text.includes('name="state"')) throw new Error(`status ${status}`);
    bytes = text.length;
  };
  const run = (urls: readonly string[]) => atRate(urls.length, rate, (at) => load(urls[at]!)());
  await run(redirects.slice(0, rate * warm));
  const cpuUsed = () => ({ program: cpuOf(server.pid), database: cpuOfFamily(database.pid) });
  const before = cpuUsed();
  const began = performance.now();
  const { times, failed } = await run(redirects.slice(rate * warm));
  const spent = performance.now() - began;
  const after = cpuUsed();
  const cpu = (['program', 'database'] as const).map((part) => ms((after[part] - before[part]) / times.length));
  return [
    atMost(`p99 of the page at ${rate} requests a second`, quantile(times, 0.99), budget.p99, ms),
    { what: 'p50; p95; longest', measured: [0.5, 0.95, 1].map((share) => ms(quantile(times, share))).join('; ') },
    {
      what: 'pages shown a second; failed',
      measured: `${((times.length / spent) * 1000).toFixed(0)}; ${failed.length} ${failed[0] ?? ''}`.trim(),
      budget: `≥ ${Math.floor(rate * 0.99)}; 0`,
      holds: failed.length === 0 && times.length / spent >= (rate * 0.99) / 1000,
    },
    { what: 'CPU of program + database per page; characters of the page', measured: `${cpu.join(' + ')}; ${bytes}` },
  ];
}

async function guests(server: RunningServer, owner: Owner): Promise<Figure[]> {
  const { gwid } = await call<{ gwid: string }>(server, owner, '/api/v3/network/create', { remark: 'Arena' });
  const fleet = await startFleet({
    consoleUrl: server.url,
    bindingCode: owner.bindingCode,
    gwid,
    seed: 'portal',
    edges: 1,
    speedUp: 20,
  });
  try {
    const ask = <T>(path: string, body: unknown) => call<T>(server, owner, path, body as object);
    await fleet.online();
    // it enrols from another address than the owner's
    await ask('/api/v3/device/confirm', { serials: fleet.devices.map(({ serial }) => serial) });
    while (!(await canCapture(ask, gwid))) await pause(100);
    await openGuestPage(ask, gwid, { name: 'Arena', kind: 'office' });
    const box = fleet.devices[0]!.box as (typeof fleet.devices)[0]['box'] & {
      redirect(guest: { mac: string; number: number }, url: string): string | null;
    };
    const macOf = (at: number) =>
      `02:00:00:01:${(at >> 8).toString(16).padStart(2, '0')}:${(at & 255).toString(16).padStart(2, '0')}`;
    const redirectOf = (at: number) =>
      box.redirect({ mac: macOf(at), number: at % 200 }, 'http://captive.test/')?.replace('localhost', '127.0.0.1');
    while (!redirectOf(0)) await pause(100);
    const began = performance.now();
    const { times, failed } = await atRate(budget.guests, guestsPerSecond, (at) =>
      signIn(redirectOf(at)!, anyAddress()),
    );
    const spent = performance.now() - began;
    const { total } = await ask<{ total: number }>('/api/v3/portal/guest/list', { gwid });
    return [
      {
        what: `guests who are online after ${budget.guests} signed in; failed`,
        measured: `${total}; ${failed.length} ${failed[0] ?? ''}`.trim(),
        budget: `${budget.guests}; 0`,
        holds: total === budget.guests && failed.length === 0,
      },
      atMost('from the first redirect to the last success page', spent, budget.withinMs, seconds),
      { what: 'a guest: p50; p99', measured: `${ms(quantile(times, 0.5))}; ${ms(quantile(times, 0.99))}` },
    ];
  } finally {
    fleet.stop();
  }
}
