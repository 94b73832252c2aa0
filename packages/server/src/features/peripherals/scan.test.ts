import type { DataOf, peripheralScan } from '@yunxun/contract';
import type { EdgeScanResult } from '@yunxun/contract/device';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../test/conformance/peer/access-point.ts';
import type { Json } from '../../../test/conformance/peer/json.ts';
import { logHead } from '../../../test/endpoints.ts';
import { host } from '../../../test/seed.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';

type Scan = NonNullable<DataOf<typeof peripheralScan.scanDetail>['scan']>;
type Report = Partial<Omit<EdgeScanResult, 'hosts'>> & { hosts?: readonly object[] };

const clock = new ManualClock(new Date());
let server: TestServer;
let owner: Registered;
let gateway: AccessPoint;
let gwid: string;
let report: Report = {};
let replyStatus: object = {};
const answered = new Set<unknown>();
const asked: Json[] = [];

const call = <T>(what: string, body: object) => server.call<T>(`/api/v3/${what}`, body, owner);
const network = async (remark: string) => (await call<{ gwid: string }>('network/create', { remark })).data.gwid;
const query = (text: string, values: unknown[] = []) => server.db.query(text, values);
const abilities = { tools: true, watch: true, scan: true, wake: true, snapshot: true };
const capabilitiesWith = (more: object) => ({
  platform: 'olg',
  compatible: 'yunxun_edge',
  model: 'Box',
  compress_cmd: true,
  yunxun: { agent: '0.9.0', abilities: { ...abilities, ...more }, missing: [], allowed: { reboot: true } },
});
async function site(remark: string, more: object = {}): Promise<{ gwid: string; gateway: AccessPoint }> {
  const made = await network(remark);
  const capabilities = capabilitiesWith(more);
  const device = accessPoint(await enrol(server, owner, { gwid: made, platform: 'olg' }), { capabilities });
  await device.connect();
  await query('update network set gateway_serial = $1 where gwid = $2', [device.options.serial, made]);
  return { gwid: made, gateway: device };
}
const isListed = (device: AccessPoint) => listedAs(server, owner, device.options.serial, { status: 'online' });
const detail = async () => (await call<{ unable: string | null; scan: Scan }>('peripheral/scan/detail', { gwid })).data;
const scanNow = async () => {
  for (const { command } of gateway.received) {
    if (command?.method !== 'yunxun.tool' || answered.has(command.id)) continue;
    answered.add(command.id);
    const params = command.params as Json;
    if (params.tool === 'watch') continue;
    asked.push(params);
    const scan = { id: params.id, state: 'running', done: 0, total: 10, subnets: [], hosts: [], ...report };
    const status = { error: 0, text: 'Success', ...(params.tool === 'scan' && { tool: { scan } }), ...replyStatus };
    gateway.sendJson({ jsonrpc: '2.0', id: command.id, result: { serial: gateway.options.serial, status } });
  }
  return (await detail()).scan;
};
const until = (wanted: object) => expect.poll(scanNow).toMatchObject(wanted);

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  ({ gwid, gateway } = await site('Shop-17'));
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

describe('a scan', () => {
  it('shows progress, vendors, guessed types and known devices, and is logged', async () => {
    await isListed(gateway);
    await call('peripheral/create', {
      gwid,
      name: 'Door',
      type: 'camera',
      ip: '192.168.1.64',
      mode: 'tcp',
      detect_port: 554,
      web_port: null,
      shell_port: null,
    });
    expect(await detail()).toEqual({ unable: null, scan: null });
    report = { done: 4 };
    expect(await call('peripheral/scan', { gwid })).toMatchObject({ code: 2000, data: { job_id: expect.any(String) } });
    await until({ state: 'running', done: 4, total: 10 });
    expect((await call('peripheral/scan', { gwid })).code).toBe(4106);
    report = {
      state: 'done',
      done: 10,
      subnets: ['192.168.1.0/24'],
      hosts: [
        { address: '192.168.1.64', mac: 'bcad28000064', hostname: 'door', ports: [80, 554] },
        { address: '192.168.1.71', mac: '001132000071', hostname: null, ports: [22] },
        { address: '192.168.1.72', mac: null, hostname: '<b>x</b>', ports: [9100, 99_999] },
        {
          address: '192.168.1.73',
          mac: null,
          hostname: null,
          ports: [80, 445],
          findings: [
            { by: 'mdns', type: null, name: 'Reception\u202e', model: 'x'.repeat(200) },
            { by: 'snmp', type: 'toaster', name: 'till [2]', model: 'HP' },
            { by: 'ipp', type: 'printer', name: null, model: 'HP LaserJet <b>M28</b>' },
            { by: 'guess', type: 'camera', name: 'no source', model: null },
          ],
        },
        { address: '203.0.113.9', mac: null, hostname: null, ports: [22] },
      ],
    };
    await until({ state: 'done', done: 10 });
    const { scan } = await detail();
    expect(scan).toMatchObject({
      reason: null,
      subnets: ['192.168.1.0/24'],
      hosts: [
        { ip: '192.168.1.64', type: 'camera', guess: 'port', known: 'Door', vendor: /hikvision/i },
        { ip: '192.168.1.71', type: 'server', guess: 'vendor', known: null, vendor: /synology/i },
        { ip: '192.168.1.72', type: 'printer', guess: 'port', ports: [9100], vendor: null, name: null, model: null },
        { ip: '192.168.1.73', type: 'printer', guess: 'ipp', name: 'Reception', model: 'HP LaserJet <b>M28</b>' },
      ],
    });
    expect(asked.map(({ act }) => act).slice(0, 2)).toEqual(['start', 'read']);
    const { data } = await call<{ list: { action: string }[] }>('log/action/list', { limit: 5 });
    expect(data.list.map(({ action }) => action)).toContain('peripheral.scan');
  });

  it('is cancelled: the gateway stops, and what was found stays', async () => {
    report = { hosts: [{ address: '192.168.1.80', mac: null, hostname: null, ports: [80] }] };
    await call('peripheral/scan', { gwid });
    await until({ state: 'running', hosts: [{ ip: '192.168.1.80' }] });
    expect((await call('peripheral/scan/cancel', { gwid })).code).toBe(2000);
    await expect.poll(() => scanNow().then(() => asked.at(-1)?.act)).toBe('stop');
    expect((await detail()).scan).toMatchObject({ state: 'cancelled', hosts: [{ ip: '192.168.1.80' }] });
    expect((await call('peripheral/scan/cancel', { gwid })).code).toBe(4113);
  });

  it('that the gateway lost in a restart has failed', async () => {
    report = { id: 'another' };
    await call('peripheral/scan', { gwid });
    await until({ state: 'failed', reason: 'lost' });
    report = {};
  });

  it('needs a gateway that can, and is online', async () => {
    const bare = await network('Bare');
    expect(await call('peripheral/scan', { gwid: bare })).toMatchObject({ code: 4114, data: { reason: 'no_gateway' } });
    const old = await site('Old', { scan: false });
    await isListed(old.gateway);
    expect(await call('peripheral/scan', { gwid: old.gwid })).toMatchObject({ data: { reason: 'unsupported' } });
    const away = await site('Away');
    await isListed(away.gateway);
    void away.gateway.cut();
    await expect
      .poll(async () => (await call('peripheral/scan/detail', { gwid: away.gwid })).data)
      .toMatchObject({ unable: 'gateway_offline' });
    expect((await call('peripheral/scan', { gwid: away.gwid })).code).toBe(4102);
  });
});

describe('Wake-on-LAN', () => {
  it('is sent to the MAC address by the gateway, as a job', async () => {
    const given = { gwid, name: 'Rack', type: 'server', ip: '192.168.1.30', mode: 'icmp', detect_port: null };
    const { data } = await call<{ id: string }>('peripheral/create', { ...given, web_port: null, shell_port: 22 });
    expect((await call('peripheral/wake', { id: data.id })).errors).toHaveProperty('mac');
    const ports = { web_port: null, shell_port: 22 };
    await call('peripheral/update', { id: data.id, ...given, ...ports, mac: '001b21000001' });
    const woken = await call<{ job_id: string }>('peripheral/wake', { id: data.id });
    expect(woken.code).toBe(2000);
    const status = async () => {
      await scanNow();
      return (await call<{ status: string }>('job/detail', { job_id: woken.data.job_id })).data.status;
    };
    await expect.poll(status).toBe('succeeded');
    expect(asked.at(-1)).toMatchObject({ tool: 'wake', mac: '001b21000001' });
  });
});

describe('a picture of a camera', () => {
  const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex').toString('base64');
  const given = { mode: 'icmp', detect_port: null, shell_port: null };
  const allow = async (enabled: boolean) => {
    const { data } = await call<{ version: number }>('remote/settings', {});
    expect((await call('remote/settings/save', { enabled, version: data.version })).code).toBe(2000);
  };
  beforeAll(() => allow(true));
  const create = async (more: object) =>
    (await call<{ id: string }>('peripheral/create', { gwid, ...given, ...more })).data.id;
  const take = async (id: string, status: object) => {
    replyStatus = status;
    const taken = call<DataOf<typeof peripheralScan.snapshot>>('peripheral/snapshot', { id });
    let isOver = false;
    void taken.finally(() => {
      isOver = true;
    });
    await expect
      .poll(async () => {
        await scanNow();
        return isOver;
      })
      .toBe(true);
    replyStatus = {};
    return taken;
  };

  it('is what its gateway fetched from the declared port, or the reason', async () => {
    const id = await create({ name: 'Yard', type: 'camera', ip: '192.168.1.66', web_port: 8080 });
    const shown = await take(id, { tool: { snapshot: { picture: jpeg } } });
    expect(shown.data).toEqual({ at: expect.any(String), picture: jpeg, reason: null });
    expect(asked.at(-1)).toMatchObject({ tool: 'snapshot', address: '192.168.1.66', port: 8080 });
    for (const [snapshot, reason] of [
      [{ reason: 'password' }, 'password'],
      [{ reason: 'whatever' }, 'wrong'],
      [{ picture: Buffer.from('<svg onload="x">').toString('base64') }, 'wrong'],
      [{ picture: Buffer.concat([Buffer.from(jpeg, 'base64'), Buffer.alloc(600_000)]).toString('base64') }, 'wrong'],
      [null, 'wrong'],
    ] as const)
      expect((await take(id, { tool: { snapshot } })).data).toMatchObject({ picture: null, reason });
    expect(await take(id, { error: 2, text: 'not allowed' })).toMatchObject({
      code: 4114,
      data: { reason: 'not allowed' },
    });
    const { data } = await call<{ list: { action: string }[] }>('log/action/list', { limit: 1 });
    expect(data.list[0]?.action).toBe('peripheral.snapshot');
  });

  it('needs a camera with a web port, an able gateway, and a person who may open remotely', async () => {
    const [printer, bare] = [
      await create({ name: 'Printer', type: 'printer', ip: '192.168.1.67', web_port: 80 }),
      await create({ name: 'Bare', type: 'camera', ip: '192.168.1.68', web_port: null }),
    ];
    for (const id of [printer, bare]) expect((await call('peripheral/snapshot', { id })).errors).toHaveProperty('id');
    const old = await site('Forbids', { snapshot: false });
    await isListed(old.gateway);
    const camera = { name: 'Gate', type: 'camera', ip: '192.168.1.69', web_port: 80, gwid: old.gwid };
    const id = await create(camera);
    expect(await call('peripheral/snapshot', { id })).toMatchObject({ code: 4114, data: { reason: 'unsupported' } });
    void old.gateway.cut();
    const hosted = await server.register();
    await host(server, owner.accountId, hosted.accountId, ['network.read', 'network.write']);
    const as = { token: hosted.token, account: owner.accountId };
    expect(await server.call('/api/v3/peripheral/snapshot', { id }, as)).toMatchObject({
      code: 4101,
      data: { permission: 'remote.use' },
    });
  });

  it('is refused while the account does not allow remote access', async () => {
    const id = await create({ name: 'Roof', type: 'camera', ip: '192.168.1.71', web_port: 80 });
    await allow(false);
    const before = await logHead(server, owner.accountId);
    expect(await call('peripheral/snapshot', { id })).toMatchObject({ code: 4114, data: { reason: 'off' } });
    expect(await logHead(server, owner.accountId)).toBe(before);
    await allow(true);
    expect((await take(id, { tool: { snapshot: { picture: jpeg } } })).data).toMatchObject({ reason: null });
  });
});
