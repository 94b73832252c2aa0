import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTelemetry, type Telemetry } from '../../../../test/seed-statistics.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';

const now = new Date('2026-11-21T04:30:00Z');
const clock = { now: () => now };
const phone = '3c22fb000001';
let server: TestServer;
let owner: Registered;
let telemetry: Telemetry;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  telemetry = await makeTelemetry(server, owner, clock);
});
afterAll(() => server.stop());

async function online(gwid: string): Promise<number> {
  const { data } = await server.call<{ current_online: number }>('/api/v3/user_stat/complex', { gwid }, owner);
  const { data: list } = await server.call<{ total: number }>(
    '/api/v3/user_online/list',
    { gwid, tab: 'online' },
    owner,
  );
  expect(list.total).toBe(data.current_online);
  return data.current_online;
}

it('a device that moves to another network takes its clients along at once', async () => {
  const [here, there] = [await telemetry.network('Here'), await telemetry.network('There')];
  const [moved, stays] = [
    await telemetry.device(here, { kind: 'ap', online: true }),
    await telemetry.device(here, { kind: 'ap', online: true }),
  ];
  await telemetry.user(phone, { firstSeen: now, lastSeen: now });
  await telemetry.user('3c22fb000002', { firstSeen: now, lastSeen: now });
  await telemetry.present(phone, { serial: moved, gwid: here, band: 5 });
  await telemetry.present('3c22fb000002', { serial: stays, gwid: here, band: 5 });
  expect([await online(here), await online(there)]).toEqual([2, 0]);
  expect(await server.call('/api/v3/device/adopt', { serial: moved, gwid: there }, owner)).toMatchObject({
    code: 2000,
  });
  expect([await online(here), await online(there)]).toEqual([1, 1]);
});
