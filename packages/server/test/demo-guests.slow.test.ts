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

let server: TestServer;
let owner: Registered;
let gwid: string;
let fleet: Fleet;
let known: Known;
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

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  ({ gwid } = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Hotel' }));
  const guest = {
    name: 'Guests',
    security: 'open',
    vlan: guestVlan,
    isolate: true,
    enabled: true,
    bands: ['2G', '5G'],
    hidden: false,
    maximum_clients: null,
    down_mbps: null,
    up_mbps: null,
  };
  await call('/api/v3/network/wireless/save', { gwid, version: 0, ssids: [guest], radios: [] });
  fleet = await startFleet({
    consoleUrl: server.url,
    bindingCode: owner.bindingCode,
    gwid,
    seed: 'demo-guests',
    aps: 2,
    edges: 1,
    crowd: 60,
    speedUp: 20,
  });
});
afterAll(async () => {
  end();
  fleet?.stop();
  await server?.stop();
});

it('opens the guest page, however often the demo is killed before', async () => {
  await expect.poll(() => canCapture(call, gwid)).toBe(true);
  let answers = 0;
  for (let made: Known | null = null; made === null; answers += 1) {
    made = await openGuestPage(killedAfter(answers), gwid, office).catch((error: Error) => {
      if (error.message !== 'killed') throw error;
      return null;
    });
    if (made) known = made;
  }
  expect(answers).toBeGreaterThan(10);
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
