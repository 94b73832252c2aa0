import type { DataOf, statistics } from '@yunxun/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, listed, listedAs } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';

/** Odd counters through the device port, as the totals of a network show them. */

const clock = new ManualClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterEach(endDevices);
afterAll(() => server.stop());

const ssid = { ssid: 'House', bssid: '903cb3000011', band: ['5G'] };

interface MeteredDevice {
  /** Reports uplink and radio totals a minute later; null: none. */
  report(bytes: number | null): Promise<void>;
  device: AccessPoint;
  /** In bytes. */
  totals(): Promise<[uplink: number, radio: number]>;
}

async function meteredDevice(): Promise<MeteredDevice> {
  const owner: Registered = await server.register();
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'House' }, owner);
  const identity = await enrol(server, owner, { gwid: data.gwid });
  const device = accessPoint(identity, { capabilities: { platform: 'ap', model: 'EAP102' } });
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  let uptime = 86_400;
  return {
    device,
    async report(bytes) {
      clock.advance(60_000);
      uptime += 60;
      const counters = bytes === null ? {} : { counters: { rx_bytes: bytes, tx_bytes: 0 } };
      const localtime = Math.floor(clock.now().getTime() / 1000);
      const interfaces = [{ name: 'up0v0', ...counters, ssids: [{ ...ssid, ...counters, associations: [] }] }];
      device.state({ unit: { uptime, localtime }, interfaces });
      await expect
        .poll(async () => (await listed(server, owner, identity.serial))?.as_of)
        .toBe(clock.now().toISOString());
    },
    async totals() {
      const ask = async <T>(path: string) =>
        (await server.call<T>(`/api/v3/user_stat/${path}`, { gwid: data.gwid }, owner)).data;
      const { cumulative_flow } = await ask<DataOf<typeof statistics.complex>>('complex');
      const { ap_flow } = await ask<DataOf<typeof statistics.apComplex>>('ap_complex');
      return [cumulative_flow.total, ap_flow.week_flow ?? 0];
    },
  };
}

it('keeps the totals when all counters are 0 in one report and right in the next', async () => {
  const { device, report, totals } = await meteredDevice();
  await report(3_000_000_000);
  await report(3_000_000_700);
  expect(await totals()).toEqual([700, 700]);
  device.zeroOnce = true;
  await report(3_000_000_900);
  expect(await totals()).toEqual([700, 700]);
  await report(3_000_001_000);
  expect(await totals()).toEqual([1000, 1000]);
});

it('takes back what a report said too much, also after a report without counters', async () => {
  const { report, totals } = await meteredDevice();
  await report(5000);
  await report(5100);
  await report(2_000_000_000);
  await report(null);
  await report(5300);
  expect(await totals()).toEqual([300, 300]);
});

it('counts a wrap once the next report proves it, and none where the counter began anew', async () => {
  const { report, totals } = await meteredDevice();
  await report(4_294_900_000);
  await report(4_294_960_000);
  await report(52_704);
  expect(await totals()).toEqual([60_000, 60_000]);
  await report(112_704);
  expect(await totals()).toEqual([180_000, 180_000]);
  await report(4_200_000_000);
  await report(4_294_000_000);
  const [before] = await totals();
  await report(1000);
  await report(2000);
  expect(await totals()).toEqual([before + 1000, before + 1000]);
});
