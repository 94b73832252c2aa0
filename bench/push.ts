import { once } from 'node:events';
import { join } from 'node:path';
import { post, register } from './lib/client.ts';
import { startDatabase } from './lib/database.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { answer, ask, startPart } from './lib/parts.ts';
import { cpuOf, cpuOfFamily } from './lib/process.ts';
import { isReady } from './lib/server.ts';
import { pause, quantile } from './lib/stats.ts';
import { seedAccessPoints } from './push/seed.ts';
import { atMost, type Figure, record } from './results.ts';

/**
 * `npx tsx bench/push.ts [devices]`: preview, push and rollback of a template on all access points. The bus answers for
 * the devices.
 */

const count = Number(process.argv[2] ?? 2000);
const takesMs = 300;
const small = 1000;
const ssid = (name: string) => ({
  enabled: true,
  name,
  security: 'psk2',
  key: 'welcome-2026',
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
});

const folder = makeFolder();
const dataDir = join(folder, 'data');
const [httpPort = 0, devicePort = 0] = await freePorts(2);
const url = `http://127.0.0.1:${httpPort}`;
const database = await startDatabase(folder);
const host = startPart('push/host.ts', {
  YUNXUN_DATA: dataDir,
  YUNXUN_HOST: '127.0.0.1',
  YUNXUN_PUBLIC_URL: url,
  YUNXUN_DEVICE_HOST: 'localhost',
  YUNXUN_HTTP_PORT: String(httpPort),
  YUNXUN_DEVICE_PORT: String(devicePort),
  YUNXUN_DATABASE_URL: database.url,
});
try {
  await answer(host);
  if (!(await isReady(url))) throw new Error('the program is not ready');
  record('push', await measure(), [
    `${count} access points in networks of forty, online, each with a report of about 20 KB; a device takes ${takesMs} ms to take a configuration. "Screen meanwhile" is a page of the list of access points, asked for ten times a second while the push goes on. In the chain each network has one access point, and settings that are kept before they change.`,
  ]);
} finally {
  if (host.exitCode === null && host.signalCode === null) {
    const ended = once(host, 'exit');
    host.send('stop');
    await ended;
  }
  await database.stop();
  removeFolder(folder, [join(folder, 'database'), dataDir]);
}

async function measure(): Promise<Figure[]> {
  const { token, accountId } = await register(url, dataDir);
  const seeded = { count, perNetwork: 40, prefix: '9e' };
  const { gwids, serials } = await seedAccessPoints(database.owner, accountId, seeded);
  await ask(host, { accountId, serials, takesMs });
  const call = callOf(token);
  const { id } = await call<{ id: string }>('/create', {
    kind: 'wireless',
    name: 'Bench',
    ssids: [ssid('Bench'), ssid('Guests')],
    radios: [],
  });
  const first = await timed(() => call<{ totals: { changed: number } }>('/preview', { id, gwids }));
  const push = await pushed(call, id, gwids, token);
  const detail = await call<{ version: number; ssids: { id: string }[] }>('/detail', { id });
  const [one, two] = detail.ssids;
  await call('/update', {
    id,
    version: detail.version,
    name: 'Bench',
    radios: [],
    ssids: [
      { ...ssid('Renamed'), id: one?.id },
      { ...ssid('Guests'), id: two?.id },
    ],
  });
  const second = await timed(() => call<{ totals: { changed: number; terminals: number } }>('/preview', { id, gwids }));
  const change = await pushed(call, id, gwids, token);
  const backFrom = cpuOfAll();
  const back = await finished(
    call,
    token,
    () => call<{ job_id: string }>('/rollback', { change_id: change.id }),
    () => change.id,
  );
  const backCpu = cpuOfAll() - backFrom;
  const sent = await ask<{ devices: number; most: number }>(host, 'sent');
  if (second.value.totals.changed !== count || sent.devices !== count || sent.most !== 3)
    throw new Error(`not what was meant: ${JSON.stringify({ ...second.value.totals, ...sent })}`);
  const shops = await chain();
  const seconds = (value: number) => `${value.toFixed(2)} s`;
  const rate = (value: number) => `${(count / value).toFixed(0)}/s`;
  return [
    atMost(`preview of a first push to ${count}`, first.seconds, 5, seconds),
    atMost(`preview of a renamed SSID on ${count}, with terminals`, second.seconds, 5, seconds),
    { what: 'CPU of the program for it', measured: seconds(second.cpu) },
    {
      what: 'first push, all at once',
      measured: rate(push.seconds),
      budget: '≥ 100/s',
      holds: count / push.seconds >= 100,
    },
    {
      what: 'push of the change',
      measured: rate(change.seconds),
      budget: '≥ 100/s',
      holds: count / change.seconds >= 100,
    },
    { what: 'CPU of program and database per device', measured: `${(change.cpu / count).toFixed(1)} ms` },
    { what: 'taken back', measured: rate(back) },
    { what: 'CPU of program and database per device, taken back', measured: `${(backCpu / count).toFixed(1)} ms` },
    { what: 'screen meanwhile, p50 / p95', measured: `${change.p50.toFixed(0)} / ${change.p95.toFixed(0)} ms` },
    { what: `${small} networks of one: a push answers after`, measured: seconds(shops.begin) },
    { what: `${small} networks of one: pushed`, measured: `${(small / shops.push).toFixed(0)}/s` },
    { what: `${small} networks of one: taking it back answers after`, measured: seconds(shops.back) },
  ];
}

interface Row {
  id: string;
  finished_at: string | null;
}

type Call = <T>(path: string, body: unknown) => Promise<T>;

function callOf(token: string): Call {
  return async <T>(path: string, body: unknown) => {
    const given = await post<T>(url, `/api/v3/wireless_template${path}`, body, token);
    if (given.code !== 2000) throw new Error(`${path}: ${given.code} ${given.message}`);
    return given.data;
  };
}

function cpuOfAll(): number {
  return cpuOf(host.pid as number) + cpuOfFamily(database.pid);
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; seconds: number; cpu: number }> {
  const [from, cpu] = [performance.now(), cpuOf(host.pid as number)];
  const value = await work();
  return { value, seconds: (performance.now() - from) / 1000, cpu: (cpuOf(host.pid as number) - cpu) / 1000 };
}

async function pushed(call: Call, id: string, gwids: string[], token: string) {
  const times: number[] = [];
  let going = true;
  const screen = (async () => {
    while (going) {
      const from = performance.now();
      await post(url, '/api/v3/ap/list', { page: 1, limit: 20 }, token);
      times.push(performance.now() - from);
      await pause(100);
    }
  })();
  const before = cpuOfAll();
  let change = '';
  const plan = { canary: 0, share: 100, rest: 0, stop_above: 100 };
  let answered = 0;
  const begin = async () => {
    const begun = await timed(() => call<{ change_id: string; job_id: string }>('/apply', { id, gwids, plan }));
    change = begun.value.change_id;
    answered = begun.seconds;
    return begun.value;
  };
  const seconds = await finished(call, token, begin, () => change);
  going = false;
  await screen;
  return {
    id: change,
    begin: answered,
    seconds,
    cpu: cpuOfAll() - before,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
  };
}

async function chain() {
  const { token, accountId } = await register(url, dataDir);
  const seeded = { count: small, perNetwork: 1, prefix: '9f' };
  const { gwids, serials } = await seedAccessPoints(database.owner, accountId, seeded);
  await ask(host, { accountId, serials, takesMs });
  const call = callOf(token);
  const { id } = await call<{ id: string }>('/create', {
    kind: 'wireless',
    name: 'Chain',
    ssids: [ssid('Chain')],
    radios: [],
  });
  await pushed(call, id, gwids, token);
  const { version, ssids } = await call<{ version: number; ssids: { id: string }[] }>('/detail', { id });
  await call('/update', {
    id,
    version,
    name: 'Chain',
    radios: [],
    ssids: [{ ...ssid('Renamed'), id: ssids[0]?.id }],
  });
  const change = await pushed(call, id, gwids, token);
  const back = await timed(() => call('/rollback', { change_id: change.id }));
  return { begin: change.begin, push: change.seconds, back: back.seconds };
}

async function finished(
  call: Call,
  token: string,
  begin: () => Promise<{ job_id: string }>,
  change: () => string,
): Promise<number> {
  const from = performance.now();
  const { job_id: job } = await begin();
  for (;;) {
    await pause(100);
    const page = { page: 1, limit: 10 };
    const jobs = await post<{ list: Row[] }>(url, '/api/v3/job/list', page, token);
    if (jobs.data.list.find(({ id }) => id === job)?.finished_at) break;
  }
  const seconds = (performance.now() - from) / 1000;
  const { list } = await call<{ list: { id: string; sums: Record<string, number> }[] }>('/change/list', {
    page: 1,
    limit: 10,
  });
  const sums = list.find(({ id }) => id === change())?.sums;
  const done = (sums?.applied ?? 0) + (sums?.taken_back ?? 0);
  if (!sums || done !== sums.total) throw new Error(`not all applied: ${JSON.stringify(sums)}`);
  return seconds;
}
