import type { fleet as contract, DataOf } from '@yunxun/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  accessPoint,
  askToEnrol,
  endDevices,
  enrol,
  listedAs,
  newSerial,
} from '../../../test/conformance/device-client.ts';
import { accessPointCapabilities } from '../../../test/conformance/peer/access-point.ts';
import { makeKey, makeRequest } from '../../../test/conformance/peer/identity.ts';
import { host } from '../../../test/seed.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';

type NetworkRow = DataOf<typeof contract.networkDetail>;
type List<T> = { list: T[]; total: number };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterEach(endDevices);
afterAll(() => server.stop());

const gatewayCapabilities = { ...accessPointCapabilities, platform: 'olg', model: 'Edge 5' };

async function networks(owner: Registered): Promise<NetworkRow[]> {
  return (await server.call<List<NetworkRow>>('/api/v3/network/list', { limit: 50 }, owner)).data.list;
}

interface LogRow {
  action: string;
  object: { id: string };
  before: unknown;
  after: unknown;
  undoable: boolean;
}

async function logged(owner: Registered, action: string): Promise<LogRow[]> {
  const { data } = await server.call<List<LogRow>>('/api/v3/log/action/list', { limit: 50 }, owner);
  return data.list.filter((row) => row.action === action);
}

describe('a newcomer', () => {
  it('starts the first network of an account, named after its model in letters that a name may have', async () => {
    const owner = await server.register();
    const identity = await enrol(server, owner, { model: 'Edgecore EAP102' });
    expect(await networks(owner)).toEqual([]);
    const device = accessPoint(identity);
    await device.connect();
    const row = await listedAs(server, owner, identity.serial, {
      status: 'online',
      kind: 'ap',
      model: 'Edgecore EAP102',
    });
    const [network] = await networks(owner);
    expect(network).toMatchObject({
      gwid: row.gwid,
      remark: 'Edgecore-EAP102',
      status: 'online',
      has_gateway: false,
      device_num: 1,
      ap_num: 1,
      ap_online_num: 1,
      sn: identity.serial,
      wan_ip: '127.0.0.1',
    });
    expect(await logged(owner, 'device.bind')).toHaveLength(1);
    expect(await logged(owner, 'network.create')).toMatchObject([{ after: { serial: identity.serial } }]);
  });

  it('starts one network, not two, when two come at the same moment', async () => {
    const owner = await server.register();
    const pair = await Promise.all([enrol(server, owner), enrol(server, owner)]);
    await Promise.all(pair.map((identity) => accessPoint(identity).connect()));
    for (const { serial } of pair) await listedAs(server, owner, serial, { status: 'online' });
    expect(await networks(owner)).toHaveLength(1);
    const { data } = await server.call<List<{ serial: string }>>('/api/v3/device/waiting/list', {}, owner);
    expect(data.total).toBe(1);
  });

  it('waits without a matching network until a person adopts it', async () => {
    const owner = await server.register();
    await server.call('/api/v3/network/create', { remark: 'Hall' }, owner);
    const [hall] = await networks(owner);
    const identity = await enrol(server, owner);
    await accessPoint(identity).connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
    const waiting = await server.call<List<{ serial: string }>>('/api/v3/device/waiting/list', {}, owner);
    expect(waiting.data.list.map((row) => row.serial)).toEqual([identity.serial]);
    const adopted = await server.call<{ gwid: string }>(
      '/api/v3/device/adopt',
      { serial: identity.serial, gwid: hall?.gwid },
      owner,
    );
    expect(adopted).toMatchObject({ code: 2000, data: { gwid: hall?.gwid, is_gateway: false } });
    expect((await networks(owner))[0]).toMatchObject({ device_num: 1, status: 'online' });
    expect(await logged(owner, 'device.adopt')).toMatchObject([{ before: { gwid: null }, undoable: false }]);
  });

  it('joins the network it names, which must be the account’s own', async () => {
    const [owner, other] = [await server.register(), await server.register()];
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Branch' }, owner);
    const named = await enrol(server, owner, { gwid: data.gwid });
    await listedAs(server, owner, named.serial, { gwid: data.gwid, status: 'never_connected' });
    const serial = newSerial();
    const csr = makeRequest(serial, makeKey());
    const refused = await askToEnrol(server, other.bindingCode, serial, csr, { gwid: data.gwid });
    expect(refused.code).toBe(4113);
    expect((await askToEnrol(server, owner.bindingCode, serial, csr)).code).toBe(2000);
  });

  it('that enrols again keeps network and name, and its owner gets a message', async () => {
    const owner = await server.register();
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Home' }, owner);
    const { serial } = await enrol(server, owner, { gwid: data.gwid });
    await server.call('/api/v3/ap/update', { serial, remark: 'Desk' }, owner);
    await enrol(server, owner, { serial });
    expect(await listedAs(server, owner, serial, { gwid: data.gwid })).toMatchObject({ remark: 'Desk' });
    expect(await logged(owner, 'device.enrol_again')).toHaveLength(1);
    const { rows } = await server.db.database.systemPool.query(
      'select template, params from message where account_id = $1',
      [owner.accountId],
    );
    expect(rows).toEqual([{ template: 'deviceReenrolled', params: { serial, address: '127.0.0.1' } }]);
  });

  it('that is a gateway has a network of its own, which access points behind the same address join', async () => {
    const owner = await server.register();
    const router = await enrol(server, owner);
    await accessPoint(router, { capabilities: gatewayCapabilities }).connect();
    const gateway = await listedAs(server, owner, router.serial, { kind: 'gateway', status: 'online' });
    const ap = await enrol(server, owner);
    await accessPoint(ap).connect();
    await listedAs(server, owner, ap.serial, { kind: 'ap', gwid: gateway.gwid });
    const [network] = await networks(owner);
    expect(network).toMatchObject({ remark: 'Edge-5', has_gateway: true, sn: router.serial, device_num: 2, ap_num: 1 });
    const second = await enrol(server, owner);
    await accessPoint(second, { capabilities: gatewayCapabilities }).connect();
    await listedAs(server, owner, second.serial, { kind: 'gateway', status: 'online' });
    const names = (await networks(owner)).map(({ remark }) => remark);
    expect(names.toSorted()).toEqual(['Edge-5', `Edge-5-${second.serial.slice(-4)}`]);
  });

  it('that routes clients becomes the gateway of a network without one', async () => {
    const owner = await server.register();
    const device = accessPoint(await enrol(server, owner));
    await device.connect();
    await listedAs(server, owner, device.options.serial, { status: 'online' });
    const interfaces = [
      { name: 'up0v0', ipv4: { addresses: ['10.0.0.9/24'] } },
      { name: 'down1v0', ipv4: { addresses: ['192.168.1.1/24'], leases: [{ address: '192.168.1.9' }] } },
    ];
    // only a client behind it makes a gateway
    device.state({ version: 1, interfaces });
    await expect.poll(async () => (await networks(owner))[0]?.has_gateway).toBe(true);
    device.state({ version: 1, interfaces: interfaces.slice(0, 1) });
    await expect.poll(async () => (await networks(owner))[0]?.has_gateway).toBe(false);
  });
});

describe('a network', () => {
  it('has the status of its access points while its gateway has never connected', async () => {
    const owner = await server.register();
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Half' }, owner);
    const identity = await enrol(server, owner, { gwid: data.gwid });
    await enrol(server, owner, { gwid: data.gwid, platform: 'olg' });
    const statuses = async () => {
      const attention = await server.call<DataOf<typeof contract.attention>>('/api/v3/overview/attention', {}, owner);
      const sums = await server.call<{ router_online_number: number }>('/api/v3/user_stat/complex', {}, owner);
      const [row] = await networks(owner);
      return [row!.has_gateway, row!.status, attention.data.networks.online, sums.data.router_online_number];
    };
    expect(await statuses()).toEqual([true, 'never_connected', 0, 0]);
    const device = accessPoint(identity);
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
    expect(await statuses()).toEqual([true, 'online', 1, 1]);
    await device.cut();
    await listedAs(server, owner, identity.serial, { status: 'offline' });
    expect(await statuses()).toEqual([true, 'offline', 0, 0]);
    expect((await networks(owner))[0]!.status_since).not.toBeNull();
  });

  it('is renamed and tagged, and the log can undo it', async () => {
    const owner = await server.register();
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Old' }, owner);
    const renamed = await server.call(
      '/api/v3/network/update',
      { gwid: data.gwid, remark: '大堂', tags: ['shop', 'east'] },
      owner,
    );
    expect(renamed).toMatchObject({ code: 2000, data: { remark: '大堂', tags: ['shop', 'east'] } });
    expect(await logged(owner, 'network.update')).toMatchObject([
      { before: { remark: 'Old', tags: [] }, after: { remark: '大堂', tags: ['shop', 'east'] }, undoable: true },
    ]);
    const byTag = await server.call<List<NetworkRow>>('/api/v3/network/list', { tag: 'shop' }, owner);
    expect(byTag.data.list.map((row) => row.gwid)).toEqual([data.gwid]);
  });

  it('takes only names that the rule allows, said beside the field in the caller’s language', async () => {
    const owner = await server.register();
    const en = await server.call('/api/v3/network/create', { remark: 'a<b>' }, owner);
    const zh = await server.call('/api/v3/network/create', { remark: 'a<b>' }, { ...owner, locale: 'zh-CN' });
    expect([en.status, zh.status]).toEqual([422, 422]);
    expect(en.errors?.remark?.[0]).toMatch(/letters/);
    expect(zh.errors?.remark?.[0]).toMatch(/[\u4e00-\u9fff]/);
    expect(await networks(owner)).toEqual([]);
  });

  it('is deleted only when empty; 4109 names its devices', async () => {
    const owner = await server.register();
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Full' }, owner);
    const { serial } = await enrol(server, owner, { gwid: data.gwid });
    const inUse = await server.call('/api/v3/network/delete', data, owner);
    expect(inUse).toMatchObject({ code: 4109, data: { refs: [serial] } });
    await server.call('/api/v3/device/unbind', { serial }, owner);
    expect((await server.call('/api/v3/network/delete', data, owner)).code).toBe(2000);
    expect(await networks(owner)).toEqual([]);
  });
});

describe('a hosted account', () => {
  it('with a grant for one network sees and changes that one, and makes no others', async () => {
    const [owner, guest] = [await server.register(), await server.register()];
    const made = async (remark: string) =>
      (await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner)).data.gwid;
    const [mine, other] = [await made('Mine'), await made('Other')];
    const inside = await enrol(server, owner, { gwid: mine });
    const outside = await enrol(server, owner, { gwid: other });
    const waiting = await enrol(server, owner);
    await host(server, owner.accountId, guest.accountId, ['network.read', 'network.write', 'network.bind'], [mine]);
    const as = { token: guest.token, account: owner.accountId };
    const { data } = await server.call<List<NetworkRow>>('/api/v3/network/list', {}, as);
    expect(data.list.map((row) => row.gwid)).toEqual([mine]);
    const seen = await server.call<List<{ serial: string }>>('/api/v3/ap/list', {}, as);
    expect(seen.data.list.map((row) => row.serial)).toEqual([inside.serial]);
    const attention = await server.call<DataOf<typeof contract.attention>>('/api/v3/overview/attention', {}, as);
    expect(attention.data).toMatchObject({ networks: { total: 1 }, aps: { total: 1 }, waiting: { total: 0 } });
    for (const { serial } of [outside, waiting]) {
      expect((await server.call('/api/v3/ap/update', { serial, remark: 'x' }, as)).code).toBe(4113);
    }
    expect((await server.call('/api/v3/ap/update', { serial: inside.serial, remark: 'x' }, as)).code).toBe(2000);
    expect(await server.call('/api/v3/network/create', { remark: 'New' }, as)).toMatchObject({
      code: 4101,
      data: { permission: 'network.bind' },
    });
  });
});

describe('unbinding', () => {
  it('of a device revokes its certificate, closes its connection and frees its serial', async () => {
    const [owner, next] = [await server.register(), await server.register()];
    const identity = await enrol(server, owner);
    const device = accessPoint(identity);
    await device.connect();
    const { gwid } = await listedAs(server, owner, identity.serial, { status: 'online' });
    const answer = await server.call('/api/v3/device/unbind', { serial: identity.serial }, owner);
    expect(answer).toMatchObject({ code: 2000, data: { devices: 1, removed: [{ part: 'certificate', count: 1 }] } });
    await device.until('the server to hang up', () => device.socket === null);
    expect((await networks(owner)).map((row) => row.gwid)).toEqual([gwid]);
    expect((await server.call('/api/v3/ap/detail', { serial: identity.serial }, owner)).code).toBe(4113);
    expect(await logged(owner, 'device.unbind')).toMatchObject([{ before: { serial: identity.serial, gwid } }]);
    await enrol(server, next, { serial: identity.serial });
    await listedAs(server, next, identity.serial, { status: 'never_connected' });
  });

  it('of a network takes every device of it along and asks every feature for its share', async () => {
    const owner = await server.register();
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Gone' }, owner);
    const inside = [await enrol(server, owner, { gwid: data.gwid }), await enrol(server, owner, { gwid: data.gwid })];
    const answer = await server.call<{ devices: number }>('/api/v3/network/unbind', data, owner);
    expect(answer).toMatchObject({ code: 2000, data: { devices: 2 } });
    expect(await networks(owner)).toEqual([]);
    for (const { serial } of inside) {
      expect((await server.call('/api/v3/ap/detail', { serial }, owner)).code).toBe(4113);
    }
    expect(await logged(owner, 'network.unbind')).toMatchObject([
      { before: { remark: 'Gone', serials: expect.arrayContaining(inside.map(({ serial }) => serial)) } },
    ]);
  });

  it('does nothing to the device of another account', async () => {
    const [owner, stranger] = [await server.register(), await server.register()];
    const { serial } = await enrol(server, owner);
    expect((await server.call('/api/v3/device/unbind', { serial }, stranger)).code).toBe(4113);
    await listedAs(server, owner, serial, { status: 'never_connected' });
  });
});
