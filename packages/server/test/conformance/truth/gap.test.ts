import type { DataOf, statistics, wirelessMonitor } from '@yunxun/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../../src/platform/clock.ts';
import { createRollups } from '../../../src/telemetry/rollups.ts';
import { type Registered, startTestServer, type TestServer } from '../../server.ts';
import { comeOnline, endDevices, enrol, listed } from '../device-client.ts';
import type { AccessPoint } from '../peer/access-point.ts';

const slot = 300_000;
const clock = new ManualClock(new Date(Math.floor((Date.now() - 4 * 3_600_000) / slot) * slot));
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  // without a worker, whose job would roll up the whole day
  server = await startTestServer({ clock, config: { roles: ['console', 'gateway'] } });
  owner = await server.register();
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

function report(device: AccessPoint, minute: number): void {
  const bytes = 5_000_000 + minute * 1_000_000;
  device.state({
    unit: { localtime: 1_790_000_000 + minute * 60, uptime: 90_000 + minute * 60 },
    interfaces: [
      {
        name: 'up0v0',
        counters: { rx_bytes: bytes, tx_bytes: 0 },
        ssids: [
          {
            ssid: 'House',
            bssid: '903cb3000011',
            band: ['5G'],
            counters: { rx_bytes: 0, tx_bytes: bytes },
            associations: [
              { station: '3c22fb000001', connected: 600 + minute * 60, rssi: -60, tx_bytes: 0, rx_bytes: 0 },
            ],
          },
        ],
      },
    ],
  });
}

const ask = async <T>(path: string, input: object = {}): Promise<T> =>
  (await server.call<T>(`/api/v3/${path}`, input, owner)).data;

/** Null is a gap. */
async function chart(from: Date): Promise<{ flow: (number | null)[]; terminals: (number | null)[] }> {
  const { current, ...of } = await ask<DataOf<typeof wirelessMonitor.wirelessSeries>>('wireless/series', {
    step: '5m',
  });
  const first = (from.getTime() - Date.parse(of.from)) / slot;
  const last = (Date.parse(of.to) - Date.parse(of.from)) / slot;
  return { flow: current.flow['5G'].slice(first, last), terminals: current.terminals['5G'].slice(first, last) };
}

test('console downtime is a gap in the charts, and its bytes come with the first report after it', async () => {
  const begin = clock.now();
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Gap' }, owner);
  const identity = await enrol(server, owner, { gwid: data.gwid });
  const on = () => comeOnline(server, owner, identity);
  const live = async (device: AccessPoint, from: number, to: number) => {
    for (let minute = from; minute < to; minute += 1) {
      report(device, minute);
      const asOf = clock.now().toISOString();
      await expect.poll(async () => (await listed(server, owner, identity.serial))?.as_of).toBe(asOf);
      clock.advance(60_000);
    }
  };
  const device = await on();
  await live(device, 0, 5);
  await server.restart();
  await device.closed;
  clock.advance(15 * 60_000);
  expect(await ask<DataOf<typeof statistics.complex>>('user_stat/complex')).toMatchObject({ current_online: 0 });
  await live(await on(), 20, 26);
  for (const when of ['as it comes', 'rolled up']) {
    if (when === 'rolled up') {
      // the earlier pools closed with the first program
      await createRollups({ database: await server.db.reopen(), clock }).run();
    }
    expect({ when, ...(await chart(begin)) }).toEqual({
      when,
      flow: [4_000_000, null, null, null, 20_000_000],
      terminals: [1, null, null, null, 1],
    });
    expect(await ask<DataOf<typeof statistics.complex>>('user_stat/complex')).toMatchObject({
      current_online: 1,
      cumulative_flow: { total: 25_000_000 },
    });
  }
});
