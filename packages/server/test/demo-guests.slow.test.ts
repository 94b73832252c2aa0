import { type Fleet, startFleet, startGuests } from '@yunxun/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Call } from '../src/demo/call.ts';
import { knowledgeOf } from '../src/demo/guest-knowledge.ts';
import { canCapture, guestVlan, type Known, openGuestPage } from '../src/demo/guests.ts';
import { type Registered, startTestServer, type TestServer } from './server.ts';

interface Funnel {
  steps: { step: string; visits: number }[];
  failures: { reason: string; visits: number }[];
}
interface Home {
  current_auth: number;
  today_auth_amount: number;
  auth_source: string;
}

const office = { name: 'Head Office', kind: 'office' } as const;
// browsers encode the blank, which the access points sign as it is
const store = { name: 'Store', kind: 'shop', ssid: 'Store Guests' } as const;
const shopMethods = ['one_click', 'sms', 'voucher', 'account'];

let server: TestServer;
let owner: Registered;
let gwid: string;
let fleet: Fleet;
let known: Known;
let storeGwid: string;
let storeFleet: Fleet;
let end = () => {};

const call: Call = async <T>(path: string, body: unknown) => {
  const answer = await server.call<T>(path, body as object, owner);
  if (answer.code !== 2000) throw new Error(`${path}: ${answer.code} ${answer.message}`);
  return answer.data;
};
const killedAfter = (answers: number): Call => {
  let left = answers;
  return async <T>(path: string, body: unknown) => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    return call<T>(path, body);
  };
};
const visits = async () => {
  const { steps, failures } = await call<Funnel>('/api/v3/portal/funnel', { gwid });
  return { ...Object.fromEntries(steps.map(({ step, visits: count }) => [step, count])), failures } as Record<
    'seen' | 'opened' | 'tried' | 'online',
    number
  > & { failures: Funnel['failures'] };
};

async function networkWith(remark: string, ssid: { name: string; vlan: number | null }): Promise<string> {
  const network = await call<{ gwid: string }>('/api/v3/network/create', { remark });
  const guest = {
    ...ssid,
    security: 'open',
    isolate: true,
    enabled: true,
    bands: ['2G', '5G'],
    hidden: false,
    maximum_clients: null,
    down_mbps: null,
    up_mbps: null,
  };
  await call('/api/v3/network/wireless/save', { gwid: network.gwid, version: 0, ssids: [guest], radios: [] });
  return network.gwid;
}

/** Calls again, a call further each time, until one run is whole. */
async function openThough(open: (killed: Call) => Promise<Known>): Promise<{ known: Known; answers: number }> {
  for (let answers = 0; ; answers += 1) {
    const made = await open(killedAfter(answers)).catch((error: Error) => {
      if (error.message !== 'killed') throw error;
      return null;
    });
    if (made) return { known: made, answers };
  }
}

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  gwid = await networkWith('Hotel', { name: 'Guests', vlan: guestVlan });
  storeGwid = await networkWith(store.name, { name: store.ssid, vlan: guestVlan });
  const place = { consoleUrl: server.url, bindingCode: owner.bindingCode, speedUp: 20 };
  fleet = await startFleet({ ...place, gwid, seed: 'demo-guests', aps: 2, edges: 1, crowd: 60 });
  storeFleet = await startFleet({ ...place, gwid: storeGwid, seed: 'demo-store', aps: 2, gateways: 1, crowd: 60 });
});
afterAll(async () => {
  end();
  fleet?.stop();
  storeFleet?.stop();
  await server?.stop();
});

it('opens the guest page, however often the demo is killed before', async () => {
  await expect.poll(() => canCapture(call, gwid)).toBe(true);
  const opened = await openThough((killed) => openGuestPage(killed, gwid, office));
  known = opened.known;
  expect(opened.answers).toBeGreaterThan(10);
  expect(known.vouchers).toHaveLength(40);
  expect(await call('/api/v3/portal/voucher/list', { gwid })).toMatchObject({ total: 1 });
});

it('lets simulated guests sign in on the portal, and refuses and loses some', async () => {
  const place = { ...office, gwid, call };
  const knowledge = knowledgeOf(place, { known, dataDir: server.config.dataDir, memory: { notes: {} } });
  end = startGuests(fleet, { ...knowledge, perMinute: 1200, language: 'en' });
  await expect.poll(async () => (await visits()).online).toBeGreaterThan(25);
  // which of the methods a guest mistypes is chance
  const refused = ['wrong_password', 'voucher_unknown'];
  await expect.poll(async () => (await visits()).failures.some(({ reason }) => refused.includes(reason))).toBe(true);
  const { seen, opened, tried, online } = await visits();
  expect(seen).toBeGreaterThan(opened);
  expect(opened).toBeGreaterThan(tried);
  expect(tried).toBeGreaterThan(online);
});

it('counts on the home page what the portal counted', async () => {
  const methods = new Set(['one_click', 'sponsor', 'dynamic_password', 'password', 'voucher', 'account']);
  const methodsOf = (list: readonly { method: string }[]) => new Set(list.map(({ method }) => method));
  await expect.poll(async () => methodsOf((await read()).list)).toEqual(methods);
  end();
  async function read() {
    const [guests, home] = await Promise.all([
      call<{ list: { method: string; verified: boolean }[]; total: number }>('/api/v3/portal/guest/list', {
        gwid,
        limit: 100,
      }),
      call<Home>('/api/v3/user_stat/complex', {}),
    ]);
    return { ...guests, home };
  }
  // orders on their way may still end sessions
  await expect.poll(async () => ((now) => now.home.current_auth - now.total)(await read())).toBe(0);
  const { list, total, home } = await read();
  expect(total).toBeGreaterThan(0);
  expect(list.every(({ verified }) => verified)).toBe(true);
  expect(methodsOf(list)).toEqual(methods);
  expect(home.auth_source).toBe('portal');
  expect(home.today_auth_amount).toBeGreaterThanOrEqual(total);
});

it('lets guests of a shop without an edge gateway sign in at its access points, and counts and ends them there', async () => {
  interface Guest {
    id: string;
    mac: string;
    method: string;
    down_bytes: number | null;
  }
  await expect.poll(() => canCapture(call, storeGwid, store.ssid)).toBe(true);
  const opened = await openThough((killed) => openGuestPage(killed, storeGwid, store));
  expect(opened.answers).toBeGreaterThan(8);
  const place = { ...store, gwid: storeGwid, call };
  const memory = { notes: {} };
  const knowledge = knowledgeOf(place, { known: opened.known, dataDir: server.config.dataDir, memory });
  const failures: string[] = [];
  end = startGuests(storeFleet, {
    ...knowledge,
    perMinute: 1200,
    language: 'en',
    log: (line) => failures.push(line),
  });
  const online = async () =>
    (await call<{ list: Guest[] }>('/api/v3/portal/guest/list', { gwid: storeGwid, limit: 100 })).list;
  const methodsOnline = async () => new Set((await online()).map(({ method }) => method));
  // which of the methods the guests at hand choose is chance
  await expect.poll(async () => (await methodsOnline()).size).toBeGreaterThan(2);
  expect([...(await methodsOnline())].filter((method) => !shopMethods.includes(method))).toEqual([]);
  await expect.poll(async () => (await online()).some(({ down_bytes: bytes }) => (bytes ?? 0) > 0)).toBe(true);
  end();
  expect(failures).toEqual([]);

  const home = await call<Home>('/api/v3/user_stat/complex', { gwid: storeGwid });
  expect(home.auth_source).not.toBe('devices');
  expect(home.current_auth).toBeGreaterThanOrEqual((await online()).length);
  const { access_points: checked } = await call<{ access_points: { steps: { finding: string }[] }[] }>(
    '/api/v3/portal/check',
    { gwid: storeGwid },
  );
  expect(checked.flatMap(({ steps }) => steps.map(({ finding }) => finding))).not.toContain('refused');

  const guest = (await online())[0]!;
  const { result } = await call<{ result: string }>('/api/v3/portal/guest/kick', { gwid: storeGwid, id: guest.id });
  expect(result).toBe('disconnected');
  const client = { mac: guest.mac };
  expect(storeFleet.devices.some(({ uspot }) => uspot?.gates && uspot.isLetThrough(client))).toBe(false);
  expect((await online()).map(({ id }) => id)).not.toContain(guest.id);
});
