import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type Fleet, startFleet, type TunnelEnds } from '@yunxun/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../../tools/eventually.ts';
import type { Owner } from '../src/demo/accounts.ts';
import { canCapture, guestVlan, openGuestPage } from '../src/demo/guests.ts';
import type { Memory } from '../src/demo/memory.ts';
import { leavePast } from '../src/demo/past-console.ts';
import { incidentsNow } from '../src/demo/stories/incidents-now.ts';
import { stories } from '../src/demo/stories/index.ts';
import { plannedOf } from '../src/demo/stories/sites.ts';
import type { DemoWorld } from '../src/demo/stories/story.ts';
import { beganAt, troublesOf } from '../src/demo/troubles.ts';
import type { DemoShop } from '../src/demo/world.ts';
import { systemClock } from '../src/platform/clock.ts';
import { silentLog } from '../src/platform/log.ts';
import { makeTelemetry } from './seed-statistics.ts';
import { type Registered, startTestServer, type TestServer } from './server.ts';

const shop = (
  name: string,
  kind: DemoShop['kind'],
  aps: number,
  switches: number,
  more: Partial<DemoShop> = {},
): DemoShop => ({
  name,
  kind,
  aps,
  switches,
  at: [30, 120],
  models: ['AX3000'],
  peoplePerAp: 14,
  ssids: ['Staff', 'Guest'],
  ...more,
});
const shops = [
  shop('Pier Hotel', 'hotel', 3, 2, { edge: true }),
  shop('Hill Hotel', 'hotel', 1, 0, { edge: true }),
  shop('Main Office', 'office', 2, 0, { edge: true }),
  shop('Store', 'shop', 3, 0, { gates: true }),
  shop('Kiosk', 'shop', 2, 1),
];

let server: TestServer;
let owner: Registered;
let world: DemoWorld;
const fleets = new Map<string, Fleet>();
const ending = new AbortController();
const failures: unknown[] = [];

async function call<T>(path: string, body: unknown = {}): Promise<T> {
  const answer = await server.call<T>(`/api/v3/${path}`, body as object, owner);
  if (answer.code !== 2000)
    throw new Error(`${path}: ${answer.code} ${answer.message} ${JSON.stringify(answer.errors)}`);
  return answer.data;
}
const list = async <T>(path: string, body: object = {}) =>
  (await call<{ list: T[] }>(path, { limit: 100, ...body })).list;

async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, 'close');
  return port;
}

beforeAll(async () => {
  const httpPort = await freePort();
  // devices download plugins from the public address
  server = await startTestServer({ config: { httpPort, publicUrl: `http://127.0.0.1:${httpPort}` } });
  owner = await server.register();
  writeFileSync(join(server.config.dataDir, 'master.key'), server.db.masterKey.toString('base64'));
  const gwids = new Map<string, string>();
  const tunnels: TunnelEnds = new Map();
  const memory: Memory = {
    made: 2,
    password: owner.password,
    gwids: {},
    keys: {},
    isEmpty: false,
    past: {
      from: new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10),
      ends: {},
      complete: true,
    },
    guests: {},
    finished: [],
    notes: {},
  };
  for (const { name, kind, edge, aps, switches, peoplePerAp } of shops) {
    const { gwid } = await call<{ gwid: string }>('network/create', { remark: name });
    gwids.set(name, gwid);
    const ssid = { security: 'open', isolate: true, enabled: true, bands: ['2G', '5G'], hidden: false };
    const rest = { maximum_clients: null, down_mbps: null, up_mbps: null };
    const ssids = [{ ...ssid, ...rest, name: 'Guest', vlan: guestVlan }];
    await call('network/wireless/save', { gwid, version: 0, ssids, radios: [] });
    const routers = edge ? { edges: 1 } : { gateways: 1 };
    const where = { consoleUrl: server.url, bindingCode: owner.bindingCode, gwid, seed: `${owner.email} ${name}` };
    const crowd = aps * peoplePerAp;
    fleets.set(
      name,
      await startFleet({ ...where, ...routers, kind, aps, switches, crowd, tunnels, speedUp: 20, branded: true }),
    );
  }
  const ask = <T>(path: string, body: unknown) => call<T>(path.replace('/api/v3/', ''), body);
  for (const { name, kind, gates } of shops.filter(({ edge, gates }) => edge || gates)) {
    const gwid = gwids.get(name)!;
    const site = { name, kind, ...(gates ? { ssid: 'Guest' } : {}) };
    await eventually(async () => expect(await canCapture(ask, gwid, site.ssid)).toBe(true));
    memory.guests[name] = await openGuestPage(ask, gwid, site);
  }
  const account = { locale: 'en', email: owner.email, name: owner.email, shops } as const;
  const demoOwner: Owner = {
    account,
    accountId: owner.accountId,
    bindingCode: owner.bindingCode,
    token: owner.token,
    call: ask,
    gwids,
  };
  world = {
    url: server.url,
    dataDir: server.config.dataDir,
    program: {
      ...server.program,
      database: server.db.database,
      log: Object.assign(silentLog(), { error: (...logged: unknown[]) => failures.push(logged) }),
    },
    owners: [demoOwner],
    fleets,
    stopping: ending.signal,
    file: { memory, save() {} },
  };
  await reportBefore(demoOwner);
});
afterAll(async () => {
  ending.abort();
  if (world) await leavePast(world);
  for (const fleet of fleets.values()) fleet.stop();
  await server?.stop();
});

/** Stores what the simulated past stores: a report of each device before its trouble. */
async function reportBefore(demoOwner: Owner): Promise<void> {
  const telemetry = await makeTelemetry(server, owner, systemClock);
  for (const one of shops)
    for (const { serials, from } of troublesOf(
      demoOwner.account,
      one,
      plannedOf(fleets.get(one.name)!),
      beganAt(world.file),
    ))
      await telemetry.reports(
        ...serials.map((serial) => ({
          serial,
          gwid: demoOwner.gwids.get(one.name)!,
          at: new Date(from.getTime() - 300_000),
          clients: 3,
        })),
      );
}

// the last needs the clock of the machine
it.each(stories.filter((story) => story !== incidentsNow).map((story) => [story.name, story] as const))(
  'tells %s',
  async (_name, story) => {
    await story.tell(world);
    expect(failures).toEqual([]);
  },
  120_000,
);

it('shows last night’s incident with one cause, three earlier ones of other kinds, and none of planned work', async () => {
  interface Alarm {
    kind: string;
    network: string;
    state: string;
    devices_hit: number;
    clients_hit: number | null;
    note: string;
  }
  const alarms = await list<Alarm>('alarm/list', { state: 'all' });
  expect(alarms.map(({ kind, network, state, devices_hit }) => [kind, network, state, devices_hit])).toEqual(
    expect.arrayContaining([
      ['gateway_offline', 'Kiosk', 'recovered', 4],
      ['ap_offline', 'Store', 'recovered', 1],
      ['device_crashed', 'Main Office', 'recovered', 1],
      ['switch_offline', 'Pier Hotel', 'recovered', 3],
    ]),
  );
  expect(alarms).toHaveLength(4);
  expect(alarms.find(({ network }) => network === 'Kiosk')).toMatchObject({
    // those of the three devices behind the gateway
    clients_hit: 9,
    note: expect.stringContaining('breaker') as string,
  });
  const night = await call<{ list: { remark: string }[]; planned: { remark: string }[] }>('overview/night', {});
  expect(night.list.map(({ remark }) => remark)).toEqual(['Kiosk']);
  expect(night.planned.map(({ remark }) => remark)).toEqual(['Hill Hotel']);
});

it('shows books that balance, a closed month, a refund and an issued invoice', async () => {
  interface Books {
    closed: object | null;
    sums: { opening: string; closing: string }[];
    list: { ledger: string; credit: string }[];
  }
  const books = await call<Books>('billing/books/trial_balance', {});
  expect(books.closed).not.toBeNull();
  for (const { opening, closing } of books.sums) expect([opening, closing]).toEqual(['0.00', '0.00']);
  expect(Number(books.list.find(({ ledger }) => ledger === 'income')?.credit)).not.toBe(0);
  const types = (await list<{ type: string }>('billing/transaction/list')).map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(['income', 'recharge', 'refund']));
  const invoices = await list<{ state: string }>('billing/invoice/list');
  expect(invoices.map(({ state }) => state).toSorted()).toEqual(['issued', 'requested']);
  const guests = await list<{ state: string }>('billing/fapiao/list');
  const states = ['asked', 'failed', 'issued', 'red_asked'];
  expect(guests.map(({ state }) => state)).toEqual(expect.arrayContaining(states));
  const { rows: settled } = await server.db.database.systemPool.query<{ gross: string; ours: string; days: string }>(
    "select sum(gross_fen) as gross, sum(matched_fen) as ours, count(*) as days from clearing_payout where provider = 'sandbox'",
  );
  expect(Number(settled[0]!.days)).toBeGreaterThan(1);
  expect(settled[0]!.gross).toBe(settled[0]!.ours);
  const [card] = await list<{ used: number }>('recharge_card/batch/list');
  expect(card?.used).toBeGreaterThan(0);
  const [used] = await list<{ used: number }>('billing/coupon/list');
  expect(used?.used).toBeGreaterThan(0);
  const home = await call<{ income: string }>('user_stat/complex', {});
  expect(Number(home.income)).toBeGreaterThan(0);
});

it('shows guests of each method, with failures, and the vouchers of a reception', async () => {
  const methods = new Set<string>();
  for (const { name } of shops.slice(0, 3)) {
    const gwid = world.owners[0]!.gwids.get(name)!;
    for (const { method } of await list<{ method: string }>('portal/session/list', { gwid })) methods.add(method);
  }
  expect(methods).toEqual(
    new Set(['one_click', 'sms', 'voucher', 'account', 'purchase', 'recharge_card', 'sponsor', 'password']),
  );
  const store = world.owners[0]!.gwids.get('Store')!;
  const visits = await list<{ method: string; state: string; down_bytes: number }>('portal/session/list', {
    gwid: store,
  });
  expect(new Set(visits.map(({ method }) => method))).toEqual(new Set(['one_click', 'sms', 'voucher', 'account']));
  for (const visit of visits) expect([visit.state, visit.down_bytes > 0]).toEqual(['ended', true]);
});

it('shows a reception that extended and moved a guest, sees who was refused, and printed vouchers again', async () => {
  const gwid = world.owners[0]!.gwids.get('Pier Hotel')!;
  const batches = await list<{ name: string }>('portal/voucher/list', { gwid });
  expect(batches.map(({ name }) => name)).toEqual(expect.arrayContaining(['Room-guests', 'Conference']));
  const done = await list<{ action: string; result: string }>('log/action/list', { gwid });
  const acts = done.map(({ action, result }) => [action, result]);
  for (const action of ['portal.extend', 'portal.move', 'voucher_batch.reveal'])
    expect(acts).toContainEqual([action, 'success']);
  const tries = await list<{ way: string; reason: string }>('portal/reception/try/list', { gwid });
  expect(tries).toContainEqual(expect.objectContaining({ way: 'voucher', reason: 'voucher_unknown' }));
});

it('shows a running star of sites with one subnet, protection with counts, and a plugin with an update', async () => {
  const [star] = await list<{ status: string; nodes: number }>('sdwan/network/list');
  expect(star).toMatchObject({ status: 'running', nodes: 3 });
  const briefing = await call<{ blocked: { month: number }; monitored: number; top_domains: object[] }>(
    'cloud_security/briefing',
    { days: '30' },
  );
  expect(briefing.blocked.month).toBeGreaterThan(0);
  expect(briefing.monitored).toBeGreaterThan(0);
  const { list: market } = await call<{ list: object[] }>('plugin/list');
  expect(market).toMatchObject([{ version: '1.1.0', installed: 2, outdated: 2 }]);
});

it('shows templates in use, backups of earlier days, a spare, equipment, and an undone change', async () => {
  const wireless = await list<{ devices: number }>('wireless_template/list', { kind: 'wireless' });
  const ac = await list<{ devices: number }>('wireless_template/list', { kind: 'ac' });
  expect([wireless.length, ac.length]).toEqual([1, 1]);
  const changes = await list<{ open: boolean; name: string }>('wireless_template/change/list');
  expect(changes.find(({ name }) => name === 'Hotel-rooms')?.open).toBe(true);
  const backups = await list<{ pinned: boolean; created_at: string }>('cloud_backup/list');
  expect(backups.filter(({ pinned }) => pinned)).toHaveLength(1);
  expect(Date.parse(backups.at(-1)!.created_at)).toBeLessThan(Date.now() - 10 * 86_400_000);
  expect(await list('device/waiting/list')).toMatchObject([{ remark: 'Spare AP' }]);
  expect((await list('peripheral/list')).length).toBeGreaterThan(2);
  const [newest] = await list<{ undoes: number | null }>('log/action/list');
  expect(newest?.undoes).not.toBeNull();
});
