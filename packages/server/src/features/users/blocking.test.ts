import { macOfSerial } from '@yunxun/contract/device';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../test/conformance/peer/access-point.ts';
import { dueNow } from '../../../test/due-now.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { createToken, type NewApiToken } from '../identity/tokens.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
});
afterEach(endDevices);
afterAll(() => server.stop());

const call = <T>(path: string, body: object = {}) => server.call<T>(path, body, owner);

interface Shop {
  gwid: string;
  serial: string;
  device: AccessPoint;
}
interface Listed {
  changed: string[];
  skipped: string[];
  job_id: string | null;
  later_job_id: string | null;
  kick_job_id: string | null;
}

async function itIs(hour: number): Promise<void> {
  const east = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  const zone = `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
  await server.db.database.systemPool.query('update account set time_zone = $1 where account_id = $2', [
    zone,
    owner.accountId,
  ]);
}

async function network(remark: string): Promise<string> {
  const { data } = await call<{ gwid: string }>('/api/v3/network/create', { remark });
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
  await call('/api/v3/network/wireless/save', { gwid: data.gwid, version: 0, ssids: [ssid], radios: [] });
  return data.gwid;
}

let started = 0;
async function shop(gwid: string, clients: readonly string[]): Promise<Shop> {
  const identity = await enrol(server, owner, { gwid });
  const device = accessPoint(identity);
  await device.connect();
  const one = { gwid, serial: identity.serial, device };
  report(one, clients);
  await listedAs(server, owner, identity.serial, { sync_state: 'in_sync', online_user: clients.length });
  return one;
}

function report({ device, serial }: Shop, clients: readonly string[]): void {
  started += 1;
  const associations = clients.map((station) => ({ station, connected: 600, rssi: -60 }));
  device.state({
    unit: { localtime: Math.floor(Date.now() / 1000), uptime: 1000 + started },
    interfaces: [
      { name: 'up0v0', ssids: [{ ssid: 'House', bssid: serial, band: ['5G'], iface: 'wlan0', associations }] },
    ],
  });
}

async function shops(count: number, clientsOf: (index: number) => string[]): Promise<Shop[]> {
  const all: Shop[] = [];
  while (all.length < count) {
    const some = Array.from({ length: Math.min(8, count - all.length) }, (_, index) => all.length + index);
    all.push(...(await Promise.all(some.map(async (at) => shop(await network(`Shop-${at}`), clientsOf(at))))));
  }
  return all;
}

const commands = ({ device }: Shop, method: string) =>
  device.received.filter(({ command }) => command?.method === method).length;
const denies = ({ device }: Shop, mac: string) =>
  JSON.stringify(device.flash.files.get(device.flash.active)).includes(macOfSerial(mac));
const items = async (job: string | null) =>
  (
    await call<{ items: { status: string; reason: string | null; serial: string }[] }>('/api/v3/job/detail', {
      job_id: job,
    })
  ).data.items;
const statuses = async (job: string | null) => {
  const sums: Record<string, number> = {};
  for (const { status } of await items(job)) sums[status] = (sums[status] ?? 0) + 1;
  return sums;
};
const online = async (serial: string) =>
  (await call<{ list: { mac: string }[] }>('/api/v3/user_online/list', { serial, limit: 50 })).data.list.map(
    ({ mac }) => mac,
  );
const neighbour = (index: number) => (0x3c22fc000000 + index).toString(16);
const phone = '3c22fb000001';

describe('blocking one client of 12 shops', { timeout: 300_000 }, () => {
  it('pushes to its network at once, to the others at night, and disconnects no other client', async () => {
    owner = await server.register();
    await itIs(12);
    const all = await shops(12, (index) => (index === 7 ? [phone, neighbour(7)] : [neighbour(index)]));
    const home = all[7]!;
    const second = await shop(home.gwid, [neighbour(70)]);
    const others = all.filter((one) => one !== home);
    const before = new Map([...all, second].map((one) => [one.serial, commands(one, 'configure')]));
    const pushed = () =>
      [...all, second].filter((one) => commands(one, 'configure') > before.get(one.serial)!).map(({ gwid }) => gwid);

    const preview = await call('/api/v3/user_online/block_preview', { macs: [phone], list: 'blocked' });
    expect(preview.data).toMatchObject({
      changed: 1,
      now: {
        networks: ['Shop-7'],
        devices: 2,
        terminals: 0,
        drops: [{ cause: 'no_restart', devices: 2, radios: 0, terminals: 0 }],
      },
      later: { networks: 11, devices: 11 },
    });
    expect(pushed()).toEqual([]);

    const blocked = await call<Listed>('/api/v3/user_online/block', { macs: [phone] });
    expect(blocked.data.changed).toEqual([phone]);
    await expect.poll(() => statuses(blocked.data.job_id)).toEqual({ applied: 2 });
    await home.device.command('rrm');
    await expect.poll(() => statuses(blocked.data.later_job_id)).toEqual({ queued: 11 });
    const [waiting] = await items(blocked.data.later_job_id);
    expect(waiting).toMatchObject({ reason: 'job.window' });
    expect([home, second].map((one) => denies(one, phone))).toEqual([true, true]);

    // reconnecting causes no push either
    const [flapping] = others;
    await flapping!.device.cut();
    await listedAs(server, owner, flapping!.serial, { status: 'offline' });
    await flapping!.device.connect();
    report(flapping!, [neighbour(0), neighbour(100)]);
    await listedAs(server, owner, flapping!.serial, { online_user: 2, sync_state: 'in_sync' });

    expect(pushed()).toEqual([home.gwid, home.gwid]);
    expect(all.filter((one) => commands(one, 'rrm') > 0)).toEqual([home]);
    expect((await call('/api/v3/user_online/applied')).data).toMatchObject({
      blocked: 1,
      managed: 13,
      in_force: 2,
      later: 11,
    });

    await itIs(3);
    await server.db.database.systemPool.query('update job_item set not_before = now() where not_before is not null');
    await dueNow(server);
    await expect.poll(() => statuses(blocked.data.later_job_id)).toEqual({ applied: 11 });
    expect(others.every((one) => denies(one, phone))).toBe(true);
    expect((await call('/api/v3/user_online/applied')).data).toMatchObject({ in_force: 13, later: 0 });
  });
});

describe('a blocked client', () => {
  it('is refused in the networks of its entry only, and let in again where it is taken out', async () => {
    owner = await server.register();
    const [one, two, three] = await shops(3, (index) => [neighbour(index)]);
    const scope = [one!.gwid, two!.gwid];
    const block = (body: object) =>
      call<Listed>('/api/v3/user_online/block', { macs: [phone], elsewhere: 'now', ...body });
    const first = await block({ gwids: scope });
    await expect.poll(() => statuses(first.data.job_id)).toEqual({ applied: 2 });
    expect([one, two, three].map((shop) => denies(shop!, phone))).toEqual([true, true, false]);
    const { data } = await call<{ list: { list_networks: { gwid: string }[] }[] }>('/api/v3/user_online/list', {
      tab: 'blocked',
    });
    expect(data.list[0]?.list_networks.map(({ gwid }) => gwid).sort()).toEqual([...scope].sort());

    const out = await call<Listed>('/api/v3/user_online/unblock', {
      macs: [phone],
      gwids: [one!.gwid],
      elsewhere: 'now',
    });
    await expect.poll(() => statuses(out.data.job_id)).toEqual({ applied: 1 });
    expect([one, two, three].map((shop) => denies(shop!, phone))).toEqual([false, true, false]);

    const everywhere = await block({});
    await expect.poll(() => statuses(everywhere.data.job_id)).toEqual({ applied: 2, skipped: 1 });
    expect([one, two, three].every((shop) => denies(shop!, phone))).toBe(true);
    expect((await block({ gwids: scope })).data.skipped).toEqual([phone]);
  });

  it('reaches the other networks in waves when that is chosen: one device proves it first', async () => {
    owner = await server.register();
    const all = await shops(4, (index) => (index === 0 ? [phone] : [neighbour(index)]));
    const { data } = await call<Listed>('/api/v3/user_online/block', { macs: [phone], elsewhere: 'waves' });
    await expect.poll(() => statuses(data.later_job_id)).toEqual({ applied: 1, queued: 2 });
    await expect.poll(() => all.filter((one) => denies(one, phone)).length).toBe(2);
  });

  it('is followed to a network whose devices still wait for the list', async () => {
    owner = await server.register();
    await itIs(12);
    const [home, next, far] = await shops(3, (index) => (index === 0 ? [phone] : [neighbour(index)]));
    const { data } = await call<Listed>('/api/v3/user_online/block', { macs: [phone] });
    await expect.poll(() => statuses(data.job_id)).toEqual({ applied: 1 });
    report(home!, []);
    report(next!, [phone]);
    await expect.poll(() => online(next!.serial)).toContain(phone);
    await server.db.database.systemPool.query("select graphile_worker.add_job('users-follow-blocked')");
    await next!.device.command('rrm');
    await expect.poll(() => denies(next!, phone)).toBe(true);
    expect(denies(far!, phone)).toBe(false);
  });

  it('is disconnected again when it comes back before the access point has the list', async () => {
    owner = await server.register();
    const [home] = await shops(1, () => [phone]);
    await call<Listed>('/api/v3/user_online/block', { macs: [phone] });
    await home!.device.command('rrm');
    const seconds = Math.floor(Date.now() / 1000);
    const reported = { client: phone, ssid: 'House', bssid: home!.serial };
    home!.device.event('client.leave', { ...reported, tx_bytes: 1, rx_bytes: 1, connected_time: 605 }, seconds + 1);
    await expect.poll(() => online(home!.serial)).not.toContain(phone);
    home!.device.event('client.join', { ...reported, channel: 36, band: '5G' }, seconds + 2);
    await expect.poll(() => commands(home!, 'rrm')).toBeGreaterThan(1);
  });
});

describe('a member limited to some networks', () => {
  it('blocks and unblocks there, and nowhere else', async () => {
    owner = await server.register();
    const [mine, other] = [await network('Mine'), await network('Other')];
    const limits: NewApiToken = { name: 'Branch', scope: 'write', areas: null, gwids: [mine], days: 7 };
    const [here, far] = [await shop(mine, [phone]), await shop(other, [])];
    const token = await server.db.database.withSystem((tx) =>
      createToken(tx, { accountId: owner.accountId, personId: owner.userId }, limits, new Date()),
    );
    const as = <T>(path: string, body: object) => server.call<T>(`/api/v3/user_online/${path}`, body, token);
    expect(await as('block', { macs: [phone] })).toMatchObject({ code: 4101, data: { reason: 'networks' } });
    expect(await as('block', { macs: [phone], gwids: [other] })).toMatchObject({ code: 4113 });
    const preview = { macs: [phone], gwids: [mine], list: 'blocked' };
    expect((await as('block_preview', preview)).data).toMatchObject({ changed: 1, now: { networks: ['Mine'] } });
    expect(await as('block', { macs: [phone], gwids: [mine] })).toMatchObject({ data: { changed: [phone] } });
    await expect.poll(() => denies(here, phone)).toBe(true);
    expect(denies(far, phone)).toBe(false);
    // the owner's entry for the other network stays
    await call('/api/v3/user_online/block', { macs: [phone], gwids: [other], elsewhere: 'now' });
    await expect.poll(() => denies(far, phone)).toBe(true);
    expect(await as('unblock', { macs: [phone], gwids: [mine] })).toMatchObject({ data: { changed: [phone] } });
    await expect.poll(() => denies(here, phone)).toBe(false);
    expect(denies(far, phone)).toBe(true);
  });
});

describe('the log', () => {
  it('undoes an entry for some networks exactly', async () => {
    owner = await server.register();
    const gwids = await Promise.all([network('One'), network('Two')]);
    const list = async () =>
      (
        await call<{ list: { list: string; list_networks: object[] | null }[] }>('/api/v3/user_online/list', {
          tab: 'blocked',
        })
      ).data.list;
    const latest = async () =>
      (await call<{ list: { seq: number }[] }>('/api/v3/log/action/list', { object_type: 'station', limit: 1 })).data
        .list[0]!;
    const undo = async () => call('/api/v3/log/action/undo', { seq: (await latest()).seq });
    await call('/api/v3/user_online/block', { macs: [phone], gwids: [gwids[0]] });
    await call('/api/v3/user_online/block', { macs: [phone], gwids });
    expect((await list())[0]?.list_networks).toHaveLength(2);
    expect(await undo()).toMatchObject({ code: 2000 });
    expect((await list())[0]?.list_networks).toMatchObject([{ gwid: gwids[0] }]);
    await call('/api/v3/user_online/unblock', { macs: [phone] });
    expect(await list()).toEqual([]);
    expect(await undo()).toMatchObject({ code: 2000 });
    expect((await list())[0]?.list_networks).toMatchObject([{ gwid: gwids[0] }]);
  });
});
