import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataOf, fleetOutages } from '@yunxun/contract';
import { type Fleet, startFleet } from '@yunxun/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ManualClock } from '../src/platform/clock.ts';
import { listed } from './conformance/device-client.ts';
import { type Registered, startTestServer, type TestServer } from './server.ts';

const hour = 3_600_000;
const clock = new ManualClock(new Date(Date.now() - 5 * hour));
let server: TestServer;
let owner: Registered;
let folder: string;
let fleet: Fleet;

const call = async <T>(path: string, body: object = {}) => {
  const answer = await server.call<T>(`/api/v3/${path}`, body, owner);
  expect(answer, path).toMatchObject({ code: 2000 });
  return answer.data;
};

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  folder = await mkdtemp(join(tmpdir(), 'demo-restart-'));
});
afterAll(async () => {
  fleet?.stop();
  await server?.stop();
  await rm(folder, { recursive: true });
});

const begin = async (gwid: string) => {
  const { url: consoleUrl, program } = server;
  const place = { consoleUrl, bindingCode: owner.bindingCode, gwid, folder };
  // the console listens on another port after its restart
  const { devicePort } = program;
  return startFleet({ ...place, seed: 'restart', gateways: 1, aps: 2, ranOn: true, devicePort });
};

it('of a demo leaves an outage of the console behind, and none of its devices', async () => {
  const { gwid } = await call<{ gwid: string }>('network/create', { remark: 'Shop' });
  fleet = await begin(gwid);
  const serials = fleet.devices.map(({ serial }) => serial);
  const statuses = () => Promise.all(serials.map(async (serial) => (await listed(server, owner, serial))?.status));
  const outages = () =>
    Promise.all(serials.map((serial) => call<DataOf<typeof fleetOutages.outageList>>('outage/list', { serial })));
  await expect.poll(statuses).toEqual(['online', 'online', 'online']);
  // in the order in which the demo ends
  await server.restart(() => {
    fleet.stop();
    clock.advance(2 * hour);
  });
  fleet = await begin(gwid);
  await expect.poll(statuses).toEqual(['online', 'online', 'online']);
  const own = { cause: 'console', boot_reason: null, ended_at: expect.any(String) as string };
  for (const { list } of await outages()) expect(list).toMatchObject([own]);
  expect((await call<{ list: object[] }>('alarm/list', { state: 'all' })).list).toEqual([]);
});
