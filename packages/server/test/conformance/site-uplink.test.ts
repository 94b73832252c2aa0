import type { DataOf, statistics } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { createRollups } from '../../src/telemetry/rollups.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, listed, listedAs } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';

/** Whether uplink bytes count for a site is decided at the report. */

const clock = new ManualClock();
let server: TestServer;
let owner: Registered;
let [inn, other] = ['', ''];
let gateway: AccessPoint;
let point: AccessPoint;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  [inn, other] = [await network('Inn'), await network('Other')];
  gateway = accessPoint(await enrol(server, owner, { gwid: inn, platform: 'olg' }), {
    capabilities: { platform: 'olg', compatible: 'yunxun_edge', model: 'Box', compress_cmd: true },
  });
  point = accessPoint(await enrol(server, owner, { gwid: inn }));
  for (const device of [point, gateway]) await device.connect();
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

async function ask<T>(path: string, input: object): Promise<T> {
  const answer = await server.call<T>(`/api/v3/${path}`, input, owner);
  expect(answer, path).toMatchObject({ code: 2000 });
  return answer.data;
}

const network = async (remark: string) => (await ask<{ gwid: string }>('network/create', { remark })).gwid;

async function flow(gwid?: string): Promise<number> {
  const asked = gwid === undefined ? {} : { gwid };
  return (await ask<DataOf<typeof statistics.complex>>('user_stat/complex', asked)).cumulative_flow.total;
}

const carried = new Map<AccessPoint, number>();
const begin = Math.floor(clock.now().getTime() / 1000);

async function carries(device: AccessPoint, bytes: number): Promise<void> {
  clock.advance(60_000);
  const total = (carried.get(device) ?? 1_000_000) + bytes;
  carried.set(device, total);
  const seconds = Math.floor(clock.now().getTime() / 1000);
  device.state({
    unit: { uptime: 9000 + seconds - begin, localtime: seconds },
    interfaces: [{ name: 'up0v0', counters: { rx_bytes: total, tx_bytes: 0 } }],
  });
  const asOf = clock.now().toISOString();
  await expect.poll(async () => (await listed(server, owner, device.options.serial))?.as_of).toBe(asOf);
}

it('counts the access points until the gateway reports its traffic, and then the gateway', async () => {
  for (const { options } of [gateway, point])
    await listedAs(server, owner, options.serial, { status: 'online', gwid: inn });
  await carries(point, 0);
  await carries(point, 100);
  expect(await flow()).toBe(100);
  await carries(gateway, 0);
  await carries(point, 2000);
  await carries(gateway, 2100);
  expect([await flow(), await flow(inn)]).toEqual([2200, 2200]);
});

it('leaves the past as it was counted when an access point moves, is unbound, and when the gateway goes', async () => {
  expect(await ask('device/adopt', { serial: point.options.serial, gwid: other })).toBeDefined();
  expect([await flow(), await flow(inn), await flow(other)]).toEqual([2200, 2200, 0]);
  await carries(point, 30_000);
  expect([await flow(), await flow(inn), await flow(other)]).toEqual([32_200, 2200, 30_000]);
  await ask('device/adopt', { serial: point.options.serial, gwid: inn });
  await carries(point, 400_000);
  await carries(gateway, 400_000);
  expect([await flow(), await flow(inn), await flow(other)]).toEqual([432_200, 402_200, 30_000]);
  await createRollups({ database: server.db.database, clock }).run();
  await ask('device/unbind', { serial: gateway.options.serial });
  expect([await flow(), await flow(inn), await flow(other)]).toEqual([432_200, 402_200, 30_000]);
  await carries(point, 5_000_000);
  expect([await flow(), await flow(inn), await flow(other)]).toEqual([5_432_200, 5_402_200, 30_000]);
  await ask('device/unbind', { serial: point.options.serial });
  expect([await flow(), await flow(inn), await flow(other)]).toEqual([5_432_200, 5_402_200, 30_000]);
});
