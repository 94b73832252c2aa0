import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, askToEnrol, comeOnline, endDevices, enrol, listedAs, newSerial } from './device-client.ts';
import { type DeviceKey, makeKey, makeRequest } from './peer/identity.ts';

const elsewhere = '203.0.113.7';
const site = '198.51.100.4';
const key = 'a-secret-of-the-site';
let server: TestServer;
let owner: Registered;
let gwid: string;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await server.register();
  ({ gwid } = (await call<{ gwid: string }>('network/create', { remark: 'Hotel' })).data);
});
afterEach(endDevices);
afterAll(() => server.stop());

const call = <T>(path: string, body: object) => server.call<T>(`/api/v3/${path}`, body, owner);
async function saveWifi(): Promise<string> {
  const ssid = {
    enabled: true,
    name: 'Hotel',
    security: 'psk2',
    key,
    bands: ['2G', '5G'],
    vlan: null,
    hidden: false,
    isolate: false,
    maximum_clients: null,
    down_mbps: null,
    up_mbps: null,
  };
  const { data } = await call<{ version: number }>('network/wireless/get', { gwid });
  const answer = await call<{ job_id: string }>('network/wireless/save', {
    gwid,
    version: data.version,
    ssids: [ssid],
    radios: [],
  });
  expect(answer).toMatchObject({ code: 2000 });
  return answer.data.job_id;
}
const itemsOf = async (job: string) => {
  const { data } = await call<{ items: { status: string; reason: string | null }[] }>('job/detail', { job_id: job });
  return data.items.map(({ status, reason }) => ({ status, reason }));
};
async function online(identity: Awaited<ReturnType<typeof enrolFrom>>) {
  const peer = accessPoint(identity, { shell: 'runs' });
  await peer.connect();
  await listedAs(server, owner, identity.serial, { status: 'online', as_of: expect.any(String) as string });
  return peer;
}
const gatewayCapabilities = { platform: 'olg', model: 'Edge', network: { WAN1: ['eth0'], LAN1: ['eth1'] } };
async function enrolFrom(from: string, deviceKey: DeviceKey = makeKey(), named: object = { gwid }) {
  const serial = newSerial();
  const { code, data } = await askToEnrol(
    server,
    owner.bindingCode,
    serial,
    makeRequest(serial, deviceKey),
    named,
    from,
  );
  expect(code).toBe(2000);
  const { certificate: cert, ca, server: host, port } = data;
  return { serial, key: deviceKey.keyPem, cert, ca, server: host, port };
}
const rule = (join_rule: string) =>
  call('network/first_contact/save', { gwid, left_alone: false, bridge_lan: false, join_rule });
/** Expires the signed-in addresses, as after 12 hours. */
const forgetPeople = () =>
  server.db.database.systemPool.query(`update user_session set ip = '192.0.2.250' where account_id = $1`, [
    owner.accountId,
  ]);

describe('a new device', () => {
  it('from an unknown address waits, and is sent nothing, until a person places it', async () => {
    await saveWifi();
    const device = await enrolFrom(elsewhere);
    await forgetPeople();
    const peer = accessPoint(device);
    await peer.connect();
    const waiting = { gwid: null, wanted_gwid: gwid, status: 'online' } as const;
    await listedAs(server, owner, device.serial, waiting);
    peer.state({ unit: { uptime: 1 }, interfaces: [{ name: 'up0v0' }] });
    await listedAs(server, owner, device.serial, { as_of: expect.any(String) as string });
    expect(JSON.stringify(peer.received)).not.toContain(key);
    expect(peer.received.filter(({ command }) => command?.method === 'configure')).toEqual([]);
    expect((await call('device/adopt', { serial: device.serial, gwid })).code).toBe(2000);
    await expect.poll(() => JSON.stringify(peer.running)).toContain(key);
  });

  it('that routed before a person placed it becomes the gateway with its next report', async () => {
    await rule('click');
    const device = await enrol(server, owner, { gwid });
    const peer = accessPoint(device);
    await peer.connect();
    await listedAs(server, owner, device.serial, { gwid: null, status: 'online' });
    const report = (uptime: number) => {
      const down = { ipv4: { addresses: ['192.168.1.1/24'], leases: [{ address: '192.168.1.9' }] } };
      peer.state({ unit: { uptime }, interfaces: [{ name: 'up0v0' }, { name: 'down1v0', ...down }] });
    };
    report(60);
    // no endpoint shows the role of a waiting device
    const routes = 'select routes from device where serial = $1';
    const stored = async () => (await server.db.database.systemPool.query(routes, [device.serial])).rows;
    await expect.poll(stored).toEqual([{ routes: true }]);
    expect((await call('device/adopt', { serial: device.serial, gwid })).code).toBe(2000);
    const hasGateway = async () => (await call<{ has_gateway: boolean }>('network/detail', { gwid })).data.has_gateway;
    expect(await hasGateway()).toBe(false);
    report(120);
    await expect.poll(hasGateway).toBe(true);
  });

  it('that routed before a person placed it gets no bridged settings before that report', async () => {
    await saveWifi();
    await rule('click');
    const device = await enrol(server, owner, { gwid });
    const peer = accessPoint(device);
    await peer.connect();
    await listedAs(server, owner, device.serial, { gwid: null, status: 'online' });
    const down = { ipv4: { addresses: ['192.168.1.1/24'], leases: [{ address: '192.168.1.9' }] } };
    const report = (uptime: number) =>
      peer.state({ unit: { uptime }, interfaces: [{ name: 'up0v0' }, { name: 'down1v0', ...down }] });
    report(60);
    await listedAs(server, owner, device.serial, { as_of: expect.any(String) as string });
    const before = peer.received.length;
    expect((await call('device/adopt', { serial: device.serial, gwid })).code).toBe(2000);
    // the console asks for a report instead
    await expect.poll(() => peer.received.length).toBeGreaterThan(before);
    expect(JSON.stringify(peer.received)).not.toContain(key);
    report(120);
    await expect.poll(() => JSON.stringify(peer.running)).toContain(key);
    const { data } = await call<{ has_gateway: boolean }>('network/detail', { gwid });
    expect(data.has_gateway).toBe(true);
    expect(JSON.stringify(peer.running)).toContain('"role":"downstream"');
  });

  it('from the address of a signed-in owner joins and is configured', async () => {
    await saveWifi();
    const identity = await enrol(server, owner, { gwid });
    const peer = accessPoint(identity);
    await peer.connect();
    await listedAs(server, owner, identity.serial, { gwid, status: 'online' });
    peer.state({ unit: { uptime: 1 }, interfaces: [{ name: 'up0v0' }] });
    await expect.poll(() => JSON.stringify(peer.running)).toContain(key);
  });

  it('from the address of a device of the network joins while that device is online', async () => {
    const first = await enrol(server, owner, { gwid });
    const peer = await comeOnline(server, owner, first);
    await saveWifi();
    await forgetPeople();
    const move = (address: string) =>
      server.db.database.systemPool.query('update device set public_address = $2 where serial = $1', [
        first.serial,
        address,
      ]);
    await move(site);
    const near = await enrolFrom(site);
    await listedAs(server, owner, near.serial, { gwid });
    await peer.cut();
    await listedAs(server, owner, first.serial, { status: 'offline' });
    await move(site);
    const late = await enrolFrom(site);
    await listedAs(server, owner, late.serial, { gwid: null });
  });

  it('that waits joins by itself when it connects from an address that is trusted by then', async () => {
    await saveWifi();
    const device = await enrolFrom(elsewhere);
    await listedAs(server, owner, device.serial, { gwid: null });
    await accessPoint(device).connect();
    await listedAs(server, owner, device.serial, { gwid, status: 'online' });
  });

  it('that joins a network without settings from an unknown address gets nothing before a person confirms it', async () => {
    await forgetPeople();
    const device = await enrolFrom(elsewhere);
    await listedAs(server, owner, device.serial, { gwid, confirmed: false });
    const peer = await online(device);
    const saved = await saveWifi();
    await expect.poll(() => itemsOf(saved)).toEqual([{ status: 'waiting_offline', reason: 'job.unconfirmed' }]);
    // it vouches for no further device at its address
    const peerAddress = await server.db.database.systemPool.query(
      'select public_address a from device where serial = $1',
      [device.serial],
    );
    const second = await enrolFrom((peerAddress.rows[0] as { a: string }).a);
    await listedAs(server, owner, second.serial, { gwid: null });
    const waiting = await call<{ list: { serial: string; gwid: string | null; ip: string }[] }>('device/waiting/list', {
      sort: 'bind_time',
      order: 'asc',
    });
    expect(waiting.data.list).toMatchObject([
      { serial: device.serial, gwid, ip: expect.any(String) },
      { serial: second.serial, gwid: null },
    ]);
    expect(JSON.stringify(peer.received)).not.toContain(key);
    expect((await call('device/confirm', { serials: [device.serial] })).data).toEqual({ confirmed: 1 });
    await expect.poll(() => JSON.stringify(peer.running)).toContain(key);
    const { data: log } = await call<{ list: object[] }>('log/action/list', {});
    expect(log.list).toContainEqual(expect.objectContaining({ action: 'device.confirm' }));
    expect((await call('device/confirm', { serials: [device.serial] })).data).toEqual({ confirmed: 0 });
  });

  it('that makes a network of its own from an unknown address is not confirmed, and is at a trusted one', async () => {
    const near = await enrolFrom('127.0.0.1', makeKey(), { platform: 'olg', model: 'Near' });
    await accessPoint(near, { capabilities: gatewayCapabilities }).connect();
    await listedAs(server, owner, near.serial, { confirmed: true, gwid: expect.any(String) as string });
    await forgetPeople();
    const far = await enrolFrom(elsewhere, makeKey(), { platform: 'olg', model: 'Far' });
    await accessPoint(far, { capabilities: gatewayCapabilities }).connect();
    await listedAs(server, owner, far.serial, { confirmed: false, gwid: expect.any(String) as string });
  });

  it('that is not confirmed is confirmed by a connection from an address that is trusted by then', async () => {
    const device = await enrolFrom(elsewhere);
    await listedAs(server, owner, device.serial, { gwid, confirmed: false });
    const saved = await saveWifi();
    await online(device);
    await listedAs(server, owner, device.serial, { confirmed: true });
    await expect.poll(() => itemsOf(saved)).toEqual([{ status: 'applied', reason: null }]);
  });

  it('is confirmed by the person who places or moves it', async () => {
    await forgetPeople();
    const device = await enrolFrom(elsewhere);
    await listedAs(server, owner, device.serial, { gwid, confirmed: false });
    const { data: other } = await call<{ gwid: string }>('network/create', { remark: 'Other' });
    await call('device/adopt', { serial: device.serial, gwid: other.gwid });
    await listedAs(server, owner, device.serial, { gwid: other.gwid, confirmed: true });
  });
});

describe('the switch of the account', () => {
  it('is on, logged with an undo, and off lets no address confirm, but for a network that says otherwise', async () => {
    const shown = async () => (await call<{ trust_sites: boolean }>('account/detail', {})).data.trust_sites;
    expect(await shown()).toBe(true);
    expect((await call('account/update', { trust_sites: false })).code).toBe(2000);
    expect(await shown()).toBe(false);
    expect((await call('network/first_contact/get', { gwid })).data).toMatchObject({
      join_rule: 'account',
      account_rule: 'click',
    });
    const { serial } = await enrol(server, owner, { gwid });
    await listedAs(server, owner, serial, { gwid: null });
    await rule('site');
    const near = await enrol(server, owner, { gwid });
    await listedAs(server, owner, near.serial, { gwid, confirmed: true });
    const { data } = await call<{ list: { seq: number; action: string }[] }>('log/action/list', {});
    const row = data.list.find(({ action }) => action === 'account.update')!;
    expect(row).toMatchObject({ before: { trust_sites: true }, after: { trust_sites: false } });
    expect((await call('log/action/undo', { seq: row.seq })).code).toBe(2000);
    expect(await shown()).toBe(true);
  });
});

describe('the rule of a network', () => {
  it('`click` lets no device join by itself, from whatever address', async () => {
    await rule('click');
    const { serial } = await enrol(server, owner, { gwid });
    await listedAs(server, owner, serial, { gwid: null });
  });

  it('`code` lets every device join that knows a binding code', async () => {
    await saveWifi();
    await rule('code');
    await forgetPeople();
    const device = await enrolFrom(elsewhere);
    await listedAs(server, owner, device.serial, { gwid });
  });

  it('holds for a bound device too that names another network', async () => {
    const { data: other } = await call<{ gwid: string }>('network/create', { remark: 'Other' });
    const { serial } = await enrol(server, owner, { gwid: other.gwid });
    await rule('click');
    await enrol(server, owner, { serial, gwid });
    await listedAs(server, owner, serial, { gwid: other.gwid });
  });

  it('is shown, kept when a save leaves it out, logged and taken back', async () => {
    await rule('click');
    await call('network/first_contact/save', { gwid, left_alone: true, bridge_lan: false });
    expect((await call('network/first_contact/get', { gwid })).data).toMatchObject({
      left_alone: true,
      join_rule: 'click',
    });
    const { data } = await call<{ list: { action: string; before: object; after: object }[] }>('log/action/list', {});
    expect(data.list[1]).toMatchObject({
      action: 'network.first_contact',
      before: { join_rule: 'account' },
      after: { join_rule: 'click' },
    });
  });
});
