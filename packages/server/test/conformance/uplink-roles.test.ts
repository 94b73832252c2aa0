import type { DataOf, statistics } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, listed, listedAs } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';

/** A port that becomes or stops being a WAN uplink adds no bytes. */

const clock = new ManualClock();
let server: TestServer;
let owner: Registered;
let gateway: AccessPoint;
let gwid: string;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  ({ gwid } = (await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Inn' }, owner)).data);
  gateway = accessPoint(await enrol(server, owner, { gwid, platform: 'olg' }), {
    capabilities: { platform: 'olg', compatible: 'yunxun_edge', model: 'Box', compress_cmd: true, yunxun: {} },
  });
  await gateway.connect();
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

const begin = Math.floor(clock.now().getTime() / 1000);

async function reports(lines: Record<string, number>): Promise<number> {
  clock.advance(60_000);
  const seconds = Math.floor(clock.now().getTime() / 1000);
  gateway.state({
    unit: { uptime: 9000 + seconds - begin, localtime: seconds },
    interfaces: Object.entries(lines).map(([name, bytes]) => ({ name, counters: { rx_bytes: bytes, tx_bytes: 0 } })),
    yunxun: { connections: 1 },
  });
  const asOf = clock.now().toISOString();
  await expect.poll(async () => (await listed(server, owner, gateway.options.serial))?.as_of).toBe(asOf);
  const { data } = await server.call<DataOf<typeof statistics.complex>>('/api/v3/user_stat/complex', {}, owner);
  return data.cumulative_flow.total;
}

it('counts a socket from where it becomes a line', async () => {
  await listedAs(server, owner, gateway.options.serial, { status: 'online', gwid });
  const gigabyte = 1e9;
  expect(await reports({ up0v0: 300 * gigabyte })).toBe(0);
  expect(await reports({ up0v0: 300 * gigabyte + 100 })).toBe(100);
  expect(await reports({ up0v0: 300 * gigabyte + 200, up102v0: 90 * gigabyte })).toBe(200);
  expect(await reports({ up0v0: 300 * gigabyte + 200, up102v0: 90 * gigabyte + 50 })).toBe(250);
  expect(await reports({ up0v0: 300 * gigabyte + 300 })).toBe(350);
  expect(await reports({ up0v0: 300 * gigabyte + 300, up102v0: 95 * gigabyte })).toBe(350);
});
