import { macOfSerial } from '@yunxun/contract/device';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../test/conformance/peer/access-point.ts';
import { numbered } from '../../../test/numbered.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';

// past: delayed tasks are due
const clock = new ManualClock(new Date(Date.now() - 3_600_000));
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

const phone = '3c22fb000001';
const bssid = '903cb3000011';
const call = <T>(path: string, body: object = {}) => server.call<T>(path, body, owner);

let minute = 0;

function report(device: AccessPoint, stations: Readonly<Record<string, number>>): void {
  minute += 1;
  clock.advance(60_000);
  device.state({
    unit: { localtime: Math.floor(clock.now().getTime() / 1000), uptime: 1000 + minute * 60 },
    interfaces: [
      {
        name: 'up0v0',
        ssids: [
          {
            ssid: 'House',
            bssid,
            band: ['5G'],
            iface: 'wlan0',
            associations: Object.entries(stations).map(([station, connected]) => ({ station, connected, rssi: -60 })),
          },
        ],
      },
    ],
  });
}

async function connected(): Promise<{ device: AccessPoint; serial: string; gwid: string }> {
  const { data } = await call<{ gwid: string }>('/api/v3/network/create', { remark: numbered(owner, 'Shop') });
  const identity = await enrol(server, owner, { gwid: data.gwid });
  const device = accessPoint(identity);
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return { device, serial: identity.serial, gwid: data.gwid };
}

const online = async (mac: string, serial: string) =>
  (await call<{ list: { mac: string }[] }>('/api/v3/user_online/list', { serial })).data.list.some(
    (row) => row.mac === mac,
  );
const items = async (job: string) =>
  (
    await call<{ items: { status: string; reason: string | null; serial: string | null }[] }>('/api/v3/job/detail', {
      job_id: job,
    })
  ).data.items;

async function present(mac: string) {
  const stand = await connected();
  report(stand.device, { [mac]: 600 });
  await expect.poll(() => online(mac, stand.serial)).toBe(true);
  return stand;
}

async function kicked(device: AccessPoint, mac: string): Promise<string> {
  const { code, data } = await call<{ job_id: string }>('/api/v3/user_online/kick', { macs: [mac] });
  expect(code).toBe(2000);
  const command = await device.command('rrm');
  expect(command.params).toMatchObject({ actions: [{ action: 'kick', addr: macOfSerial(mac), reason: 5 }] });
  await expect
    .poll(() => items(data.job_id))
    .toMatchObject([{ status: 'waiting_offline', reason: 'job.user_leaving' }]);
  return data.job_id;
}

describe('a kick', () => {
  it('reaches the access point and has succeeded when its next report lacks the terminal', async () => {
    const mac = '3c22fb000010';
    const { device, serial } = await present(mac);
    const job = await kicked(device, mac);
    report(device, {});
    await expect.poll(() => items(job)).toMatchObject([{ status: 'succeeded', reason: null, serial }]);
    expect(await online(mac, serial)).toBe(false);
  });

  const reportOf = (mac: string) => ({ client: mac, ssid: 'House', bssid });
  const seconds = () => Math.floor(clock.now().getTime() / 1000);

  it('succeeds when the access point reports that the client left', async () => {
    const mac = '3c22fb000020';
    const { device } = await present(mac);
    const job = await kicked(device, mac);
    clock.advance(5000);
    device.event('client.leave', { ...reportOf(mac), tx_bytes: 1, rx_bytes: 1, connected_time: 605 }, seconds());
    clock.advance(2000);
    await expect.poll(() => items(job)).toMatchObject([{ status: 'succeeded', reason: null }]);
  });

  it('says so when the terminal came back', async () => {
    const mac = '3c22fb000021';
    const { device } = await present(mac);
    const job = await kicked(device, mac);
    clock.advance(5000);
    // a check between leave and join would find the client gone
    device.event('client.join', { ...reportOf(mac), channel: 36, band: '5G' }, seconds());
    clock.advance(2000);
    await expect.poll(() => items(job)).toMatchObject([{ status: 'succeeded', reason: 'job.user_returned' }]);
  });

  it('has failed when the terminal is still there in the next report', async () => {
    const mac = '3c22fb000030';
    const { device } = await present(mac);
    const job = await kicked(device, mac);
    report(device, { [mac]: 660 });
    await expect.poll(() => items(job)).toMatchObject([{ status: 'failed', reason: 'job.user_stayed' }]);
  });

  it('skips absent clients and offline access points', async () => {
    const mac = '3c22fb000040';
    const { device, serial } = await present(mac);
    report(device, {});
    await expect.poll(() => online(mac, serial)).toBe(false);
    const absent = await call<{ job_id: string }>('/api/v3/user_online/kick', { macs: [mac] });
    await expect.poll(() => items(absent.data.job_id)).toMatchObject([{ status: 'skipped', reason: 'job.user_gone' }]);
    report(device, { [mac]: 10 });
    await expect.poll(() => online(mac, serial)).toBe(true);
    await device.cut();
    await listedAs(server, owner, serial, { status: 'offline' });
    expect(await online(mac, serial)).toBe(false);
    const away = await call<{ job_id: string }>('/api/v3/user_online/kick', { macs: [mac] });
    await expect
      .poll(() => items(away.data.job_id))
      .toMatchObject([{ status: 'skipped', reason: 'job.skipped_offline' }]);
  });
});

describe('a block', () => {
  it('ends in the deny list of every SSID, by the device’s own word, and disconnects the terminal', async () => {
    const { device, serial, gwid } = await present(phone);
    const ssid = {
      enabled: true,
      name: 'House',
      security: 'psk2',
      key: 'welcome-2026',
      bands: ['2G', '5G'],
      vlan: null,
      hidden: false,
      isolate: false,
      maximum_clients: null,
      down_mbps: null,
      up_mbps: null,
    };
    const saved = await call<{ job_id: string }>('/api/v3/network/wireless/save', {
      gwid,
      version: 0,
      ssids: [ssid],
      radios: [],
    });
    await expect.poll(() => items(saved.data.job_id)).toMatchObject([{ status: 'applied' }]);
    const running = () => JSON.stringify(device.flash.files.get(device.flash.active));
    const denied = (...macs: string[]) =>
      `"access-control-list":${JSON.stringify({ 'mac-address': macs, mode: 'deny' })}`;
    expect(running()).toContain(denied());

    const blocked = await call<{ changed: string[]; job_id: string; kick_job_id: string }>(
      '/api/v3/user_online/block',
      {
        macs: [phone],
      },
    );
    expect(blocked.data).toMatchObject({ changed: [phone] });
    await expect.poll(() => items(blocked.data.job_id)).toMatchObject([{ serial, status: 'applied' }]);
    expect(running()).toContain(denied(macOfSerial(phone)));
    await device.command('rrm');
    // succeeds once a later report shows that the client has stayed away
    const reported = () => {
      report(device, {});
      return items(blocked.data.kick_job_id);
    };
    await expect.poll(reported).toMatchObject([{ status: 'succeeded' }]);
    expect((await call('/api/v3/user_online/applied')).data).toMatchObject({ blocked: 1, managed: 1, in_force: 1 });

    // later pushes keep the deny list
    const renamed = await call<{ job_id: string }>('/api/v3/network/wireless/save', {
      gwid,
      version: 1,
      ssids: [{ ...ssid, name: 'Home' }],
      radios: [],
    });
    await expect.poll(() => items(renamed.data.job_id)).toMatchObject([{ status: 'applied' }]);
    expect(running()).toContain(macOfSerial(phone));

    const free = await call<{ job_id: string }>('/api/v3/user_online/unblock', { macs: [phone] });
    await expect.poll(() => items(free.data.job_id)).toMatchObject([{ status: 'applied' }]);
    expect(running()).toContain(denied());
  });
});
