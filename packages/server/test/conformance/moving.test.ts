import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { terminalsMove } from '../../src/telemetry/index.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, listed, listedAs } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';

const clock = new ManualClock();
let server: TestServer;
let owner: Registered;
let [here, there] = ['', ''];

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  [here, there] = [await network('Here'), await network('There')];
});
afterEach(endDevices);
afterAll(() => server.stop());

const network = async (remark: string) =>
  (await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner)).data.gwid;

async function online(gwid: string): Promise<string[]> {
  const asked = { gwid, tab: 'online' };
  const { data } = await server.call<{ list: { mac: string }[] }>('/api/v3/user_online/list', asked, owner);
  return data.list.map(({ mac }) => mac);
}

const began = Math.floor(clock.now().getTime() / 1000);

function sees(device: AccessPoint, mac: string): void {
  clock.advance(60_000);
  const seconds = Math.floor(clock.now().getTime() / 1000);
  const associations = [{ station: mac, connected: 30, rssi: -60, tx_bytes: 100, rx_bytes: 50 }];
  device.state({
    unit: { uptime: 9000 + seconds - began, localtime: seconds },
    interfaces: [{ name: 'up0v0', ssids: [{ ssid: 'House', bssid: '903cb3000011', band: ['5G'], associations }] }],
  });
}

const committed = ({ options }: AccessPoint) =>
  expect.poll(async () => (await listed(server, owner, options.serial))?.as_of).toBe(clock.now().toISOString());

async function moveDuring({ options: { serial } }: AccessPoint, work: () => Promise<void>): Promise<void> {
  const { accountId } = owner;
  await server.db.database.withSystem(async (tx) => {
    await sql`update device set gwid = ${there} where account_id = ${accountId} and serial = ${serial}`.execute(tx);
    await terminalsMove(tx, { accountId, serial, gwid: there });
    await work();
  });
}

async function ingestWaits(): Promise<void> {
  const waits = async () => {
    const { rows } = await sql<{ waits: boolean }>`
      select wait_event_type = 'Lock' as waits from pg_stat_activity
      where application_name = 'yunxun_ingest' and datname = current_database()
    `.execute(server.db.database.system);
    return rows.some((row) => row.waits);
  };
  await expect.poll(waits).toBe(true);
}

it.each([
  ['that is known', '3c22fb000001', true],
  ['of which it is the first', '3c22fb000002', false],
])(
  'who is in a report that is written during the move of a device %s is where the device is',
  async (_, mac, known) => {
    const device = accessPoint(await enrol(server, owner, { gwid: here }));
    await device.connect();
    await listedAs(server, owner, device.options.serial, { status: 'online', gwid: here });
    if (known) {
      sees(device, mac);
      await committed(device);
      expect(await online(here)).toEqual([mac]);
    }
    await moveDuring(device, async () => {
      sees(device, mac);
      await ingestWaits();
    });
    await committed(device);
    expect(await online(here)).toEqual([]);
    expect(await online(there)).toContain(mac);
  },
);
