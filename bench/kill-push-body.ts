import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { type Fleet, startFleet } from '@yunxun/simulator';
import { strike } from './kill/strike.ts';
import { expectDone, type Owner, post, register } from './lib/client.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { startServer } from './lib/server.ts';
import { pause } from './lib/stats.ts';

export interface PushKillOptions {
  kills: number;
  devices: number;
  log?: (line: string) => void;
}

export interface PushKillReport {
  kills: number;
  devices: number;
  waves: number;
  problems: string[];
  at: number[];
  restarts: number[];
}

/** Shortest time before a kill, and longest time per device, in milliseconds. */
const least = 20;
const maxPerDevice = 8;
/** Milliseconds; unanswered commands are rechecked after 100 s. */
const settleWithin = 300_000;
const modes = ['program', 'program and database'] as const;
const templates = '/api/v3/wireless_template';

interface Change {
  id: string;
  open: boolean;
  sums: Record<string, number>;
}

/** Kills the server during template pushes. Each device must get the configuration, and count, once. */
export async function runPushKills({
  kills,
  devices,
  log = () => undefined,
}: PushKillOptions): Promise<PushKillReport> {
  const folder = makeFolder();
  const dataDir = join(folder, 'data');
  const [httpPort = 0, devicePort = 0] = await freePorts(2);
  const start = () => startServer({ dataDir, httpPort, devicePort });
  const report: PushKillReport = { kills, devices, waves: 0, problems: [], at: [], restarts: [] };
  let server = await start();
  let fleet: Fleet | undefined;
  try {
    const owner = await register(server.url, dataDir);
    const call = caller(() => server.url, owner);
    const { gwid } = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Kill' });
    fleet = await startFleet({
      consoleUrl: server.url,
      bindingCode: owner.bindingCode,
      seed: 'kill-push',
      gwid,
      aps: devices,
      peoplePerAp: 0,
      speedUp: 10,
      parallel: 8,
    });
    await fleet.online();
    const got = watch(fleet);
    const serials = fleet.devices.map(({ serial }) => serial);
    // they come from another address than the owner's
    await call('/api/v3/device/confirm', { serials });
    await knownAll(call, serials.length);
    const { id } = await call<{ id: string }>('/create', { kind: 'wireless', name: 'Kill', ssids: [], radios: [] });
    let killed = 0;
    while (killed < kills) {
      const name = `Kill-${report.waves + 1}`;
      const change = await begin(call, id, name, serials);
      report.waves += 1;
      for (let open = true; open && killed < kills; ) {
        await pause(randomInt(least, Math.max(least + 1, devices * maxPerDevice)));
        open = (await changeOf(call, change)).open;
        if (!open) break;
        const mode = modes[killed % modes.length] as (typeof modes)[number];
        report.at.push(got(name).size);
        const began = performance.now();
        server = await strike(server, mode, start);
        report.restarts.push(performance.now() - began);
        killed += 1;
        log(`kill ${killed} of ${kills} (${mode}), ${report.at.at(-1)} of ${devices} had it`);
        await fleet.online();
      }
      report.problems.push(...(await ended(call, change, got(name), fleet, name)));
    }
    return report;
  } finally {
    fleet?.stop();
    await server.stop();
    removeFolder(folder, [dataDir]);
  }
}

type Call = <T>(path: string, body: unknown) => Promise<T>;

function caller(url: () => string, { token }: Owner): Call {
  return async <T>(path: string, body: unknown) =>
    (await expectDone(post<T>(url(), path.startsWith('/api') ? path : templates + path, body, token))).data;
}

function watch(fleet: Fleet): (ssid: string) => Map<string, Set<number>> {
  const given = new Map<string, Map<string, Set<number>>>();
  const got = (ssid: string) => {
    const bySerial = given.get(ssid) ?? new Map<string, Set<number>>();
    given.set(ssid, bySerial);
    return bySerial;
  };
  for (const { serial, box } of fleet.devices) {
    const apply = box.apply.bind(box);
    box.apply = (document) => {
      const { interfaces = [] } = document as { interfaces?: { ssids?: { name: string }[] }[] };
      for (const ssid of new Set(interfaces.flatMap(({ ssids = [] }) => ssids.map(({ name }) => name))))
        got(ssid).set(serial, (got(ssid).get(serial) ?? new Set()).add(document.uuid));
      return apply(document);
    };
  }
  return got;
}

async function knownAll(call: Call, count: number): Promise<void> {
  for (;;) {
    const { list } = await call<{ list: { devices: number }[] }>('/models', {});
    if (list.reduce((sum, { devices }) => sum + devices, 0) >= count) return;
    await pause(200);
  }
}

async function begin(call: Call, id: string, name: string, serials: string[]): Promise<string> {
  const { version } = await call<{ version: number }>('/detail', { id });
  const ssid = { name, enabled: true, security: 'psk2', key: 'welcome-2026', bands: ['2G', '5G'], vlan: null };
  const open = { hidden: false, isolate: false, maximum_clients: null, down_mbps: null, up_mbps: null };
  await call('/update', { id, version, name: 'Kill', ssids: [{ ...ssid, ...open }], radios: [] });
  const plan = { canary: 0, share: 100, rest: 0, stop_above: 100 };
  return (await call<{ change_id: string }>('/apply', { id, serials, plan })).change_id;
}

async function changeOf(call: Call, id: string): Promise<Change> {
  const { list } = await call<{ list: Change[] }>('/change/list', { page: 1, limit: 10 });
  const found = list.find((one) => one.id === id);
  if (!found) throw new Error(`the push ${id} is gone`);
  return found;
}

async function ended(
  call: Call,
  id: string,
  got: ReadonlyMap<string, ReadonlySet<number>>,
  fleet: Fleet,
  ssid: string,
): Promise<string[]> {
  const total = fleet.devices.length;
  const deadline = Date.now() + settleWithin;
  let change = await changeOf(call, id);
  while (change.open && Date.now() < deadline) {
    await pause(500);
    change = await changeOf(call, id);
  }
  const { total: reported = 0, ...sums } = change.sums;
  const counted = Object.values(sums).reduce((sum, count) => sum + count, 0);
  const without = fleet.devices.filter(({ configuration }) => !JSON.stringify(configuration).includes(`"${ssid}"`));
  const twice = [...got].filter(([, numbers]) => numbers.size > 1);
  return [
    ...(reported === total && counted === total ? [] : [`${ssid}: sums do not match: ${JSON.stringify(change.sums)}`]),
    ...(sums.applied === total ? [] : [`${ssid}: not applied by all: ${JSON.stringify(change.sums)}`]),
    ...without.map(({ serial, status }) => {
      const given = [...(got.get(serial) ?? [])].join(', ') || 'none';
      return `${ssid}: ${serial} does not run it, but number ${status.uuid} with ${status.ssids.join(', ') || 'no SSID'}; given it with number ${given}`;
    }),
    ...twice.map(([serial, numbers]) => `${ssid}: ${serial} was given it as ${[...numbers].join(' and ')}`),
  ];
}
