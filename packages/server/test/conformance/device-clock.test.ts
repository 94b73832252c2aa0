import type { DataOf, users } from '@yunxun/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { numbered } from '../numbered.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, listedAs } from './device-client.ts';

const clock = new ManualClock();
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

const day = 86_400;
const now = () => Math.floor(clock.now().getTime() / 1000);

/** `ahead` in seconds; with `steps` corrected after the second report. */
const clocks: [name: string, ahead: () => number, steps: boolean][] = [
  ['1970', () => 60 - now(), false],
  ['2100', () => 4_102_444_800 - now(), false],
  ['two days ahead', () => 2 * day, false],
  ['two days behind', () => -2 * day, false],
  ['two days ahead until NTP sets it', () => 2 * day, true],
  ['1970 until NTP sets it', () => 60 - now(), true],
];

test.each(clocks)(
  'a client that joins counts from then on, whatever the clock of its access point: %s',
  async (_, of, steps) => {
    const { data } = await server.call<{ gwid: string }>(
      '/api/v3/network/create',
      { remark: numbered(owner, 'Clock') },
      owner,
    );
    const identity = await enrol(server, owner, { gwid: data.gwid });
    const device = accessPoint(identity);
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
    const bssid = `${identity.serial.slice(0, 10)}77`;
    const mac = `3c${identity.serial.slice(2)}`;
    const ahead = of();
    const say = async (localtime: number, uptime: number) => {
      device.state({ unit: { localtime, uptime }, interfaces: [{ name: 'up0v0', ssids: [{ bssid, band: ['5G'] }] }] });
      await listedAs(server, owner, identity.serial, { as_of: clock.now().toISOString() });
    };
    device.event('client.join', { client: `3e${mac.slice(2)}`, bssid, ssid: 'House', band: '5G' }, now() + ahead);
    const since = async (client: string) => {
      const { list } = await server
        .call<DataOf<typeof users.list>>('/api/v3/user_online/list', { tab: 'online', gwid: data.gwid }, owner)
        .then((answer) => answer.data);
      const at = list.find((row) => row.mac === client)?.login_at ?? null;
      return at === null ? null : Math.abs(Date.parse(at) - clock.now().getTime()) / 1000;
    };
    await expect.poll(() => since(`3e${mac.slice(2)}`)).not.toBeNull();
    expect(await since(`3e${mac.slice(2)}`)).toBeLessThan(2);
    for (const minute of [1, 2]) {
      clock.advance(60_000);
      await say(now() + ahead, 9000 + minute * 60);
    }
    clock.advance(30_000);
    device.event('client.join', { client: mac, bssid, ssid: 'House', band: '5G' }, now() + (steps ? 0 : ahead) - 5);
    await expect.poll(() => since(mac)).not.toBeNull();
    expect(await since(mac)).toBeLessThanOrEqual(6);
  },
);
