import type { DataOf, statistics, users, wirelessMonitor } from '@yunxun/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../../src/platform/clock.ts';
import { createRollups } from '../../../src/telemetry/rollups.ts';
import { type Registered, startTestServer, type TestServer } from '../../server.ts';
import { accessPoint, endDevices, enrol, type Identity, listedAs } from '../device-client.ts';
import type { AccessPoint } from '../peer/access-point.ts';

/** Every figure must match the true reports, also after a restart. */

const slot = 300_000;
const clock = new ManualClock(new Date(Math.floor((Date.now() - 4 * 3_600_000) / slot) * slot));
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  // without a worker, whose job would roll up the whole day
  server = await startTestServer({ clock, config: { roles: ['console', 'gateway'] } });
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

interface SentReport {
  uptime: unknown;
  localtime: unknown;
  uplink: unknown[];
  network: unknown[];
  client: unknown[];
}
type Alter = (report: SentReport) => Partial<SentReport>;

const zero = { uplink: [0, 0], network: [0, 0], client: [0, 0] };
const all = (to: (bytes: number) => unknown): Alter => {
  const both = (bytes: unknown[]) => bytes.map((one) => to(one as number));
  return ({ uplink, network, client }) => ({ uplink: both(uplink), network: both(network), client: both(client) });
};
const clocks =
  (seconds: number): Alter =>
  ({ uptime, localtime }) => ({
    uptime: (uptime as number) + seconds,
    localtime: (localtime as number) + seconds,
  });

const alterations: Record<string, Alter> = {
  'all counters are 0': () => zero,
  'all counters are 0 and so is the uptime': () => ({ ...zero, uptime: 0 }),
  'the counters fall by half': all((bytes) => Math.floor(bytes / 2)),
  'the counters are 2^63': all(() => 2 ** 63),
  'the counters are 2^53 - 1': all(() => 2 ** 53 - 1),
  'the counters are 2^32 too high': all((bytes) => bytes + 2 ** 32),
  'the counters have lost their upper 32 bits': all((bytes) => bytes % 2 ** 32),
  'the counters are a billion too high': all((bytes) => bytes + 1e9),
  'the counters are negative': all(() => -1),
  'the counters are text': all(() => 'NaN'),
  'the uptime is 0': () => ({ uptime: 0 }),
  'the uptime is -1': () => ({ uptime: -1 }),
  'the uptime is that of a device that restarted': () => ({ uptime: 45 }),
  'the uptime is a century': () => ({ uptime: 3e9 }),
  'the clocks are two days ahead': clocks(2 * 86_400),
  'the local time is 1970': () => ({ localtime: 45 }),
  'the local time is 2100': () => ({ localtime: 4_102_444_800 }),
};

const minutes = 7;
const altered = 3;
/** Per minute, down and up. */
const uplinkMinute = [7_000_000, 500_000] as const;
const airMinute = [3_000_000, 200_000] as const;

const names = Object.keys(alterations);
const bssidOf = (n: number) => `903cb30001${n.toString(16).padStart(2, '0')}`;
const macOf = (n: number) => `3c22fb0001${n.toString(16).padStart(2, '0')}`;

function report(device: AccessPoint, n: number, minute: number): void {
  const at = (base: number, each: number) => base + each * minute;
  const truth: SentReport = {
    uptime: 90_000 + minute * 60,
    localtime: Math.floor(clock.now().getTime() / 1000),
    uplink: [at(5e9, uplinkMinute[0]), at(4e9, uplinkMinute[1])],
    network: [at(6e9, airMinute[1]), at(7e9, airMinute[0])],
    client: [at(4.5e9, airMinute[1]), at(4.8e9, airMinute[0])],
  };
  const report = minute === altered ? { ...truth, ...alterations[names[n]!]!(truth) } : truth;
  const counters = ([rx, tx]: unknown[]) => ({ rx_bytes: rx, tx_bytes: tx });
  const association = { station: macOf(n), connected: 8000 + minute * 60, rssi: -60, ...counters(report.client) };
  device.state({
    unit: { localtime: report.localtime, uptime: report.uptime },
    radios: [{ band: ['5G'], channel: 36, channel_width: 80, chanUtil: 10 }],
    'link-state': { upstream: { WAN: { carrier: 1, speed: 1000, duplex: 'full' } }, downstream: {} },
    interfaces: [
      {
        name: 'up0v0',
        counters: counters(report.uplink),
        ssids: [
          {
            ssid: 'House',
            bssid: bssidOf(n),
            band: ['5G'],
            counters: counters(report.network),
            associations: [association],
          },
        ],
      },
    ],
  });
}

async function figures(gwid: string) {
  const ask = async <T>(path: string, input: object = {}): Promise<T> => {
    const answer = await server.call<T>(`/api/v3/${path}`, { gwid, ...input }, owner);
    expect(answer, path).toMatchObject({ code: 2000 });
    return answer.data;
  };
  const complex = await ask<DataOf<typeof statistics.complex>>('user_stat/complex');
  const aps = await ask<DataOf<typeof statistics.apComplex>>('user_stat/ap_complex');
  const online = await ask<DataOf<typeof users.list>>('user_online/list', { tab: 'online' });
  const today = await ask<DataOf<typeof users.list>>('user_online/list', { tab: 'today' });
  const series = await ask<DataOf<typeof wirelessMonitor.wirelessSeries>>('wireless/series', { step: '5m' });
  return {
    online: complex.current_online,
    users: complex.today_online_amount,
    uplink: complex.cumulative_flow.total,
    air: [aps.ap_flow.download, aps.ap_flow.upload, aps.ap_flow.week_flow],
    series: series.current.flow['5G'].reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0),
    // a false restart, believed for a minute, leaves a second session
    clients: new Set(online.list.map(({ mac }) => mac)).size,
    today: today.list.map(({ mac, flow_today }) => [mac, flow_today]),
  };
}

test.each([false, true])(
  'one altered report changes no figure; the program restarts after it: %s',
  async (restarts) => {
    owner = await server.register();
    const gwids: string[] = [];
    const identities: Identity[] = [];
    const devices: AccessPoint[] = [];
    for (const [n] of names.entries()) {
      const made = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: `House-${n}` }, owner);
      expect(made).toMatchObject({ code: 2000 });
      const { data } = made;
      gwids[n] = data.gwid;
      identities[n] = await enrol(server, owner, { gwid: data.gwid });
    }
    const connect = async () => {
      for (const [n, identity] of identities.entries()) {
        devices[n] = accessPoint({ ...identity, port: server.program.devicePort! });
        await devices[n].connect();
      }
      for (const { serial } of identities) await listedAs(server, owner, serial, { status: 'online' });
    };
    await connect();
    for (let minute = 0; minute < minutes; minute += 1) {
      for (const [n, device] of devices.entries()) report(device, n, minute);
      const asOf = clock.now().toISOString();
      for (const { serial } of identities) await listedAs(server, owner, serial, { as_of: asOf });
      for (const device of devices) await device.heard();
      await server.program.ingest!.drain();
      if (restarts && minute === altered) {
        await Promise.all(devices.map((device) => device.cut()));
        await server.restart();
        await connect();
      }
      if (minute < minutes - 1) clock.advance(60_000);
    }
    const [down, up] = [airMinute[0] * (minutes - 1), airMinute[1] * (minutes - 1)];
    for (const when of ['as it comes', 'rolled up']) {
      if (when === 'rolled up') {
        clock.advance(2 * slot);
        await createRollups({ database: await server.db.reopen(), clock }).run();
      }
      const shown = Object.fromEntries(
        await Promise.all(gwids.map(async (gwid, n) => [names[n]!, await figures(gwid)] as const)),
      );
      const truth = (n: number) => ({
        online: 1,
        users: 1,
        clients: 1,
        uplink: (uplinkMinute[0] + uplinkMinute[1]) * (minutes - 1),
        air: [down, up, down + up],
        series: when === 'rolled up' ? down + up : shown[names[n]!]!.series,
        today: [[macOf(n), down + up]],
      });
      expect({ when, shown }).toEqual({ when, shown: Object.fromEntries(names.map((name, n) => [name, truth(n)])) });
    }
    await Promise.all(devices.map((device) => device.cut()));
  },
  240_000,
);
