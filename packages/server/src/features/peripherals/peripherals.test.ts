import type { peripherals as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../test/conformance/peer/access-point.ts';
import type { Json } from '../../../test/conformance/peer/json.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';

// devices report whole seconds
const clock = new ManualClock(new Date(Math.floor(Date.now() / 1000) * 1000));
let server: TestServer;
let owner: Registered;
let gwid: string;

type Row = DataOf<typeof contract.list>['list'][number];

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  gwid = await network('Shop-17');
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

const call = <T>(what: string, body: object) => server.call<T>(`/api/v3/${what}`, body, owner);
const network = async (remark: string) => (await call<{ gwid: string }>('network/create', { remark })).data.gwid;
const camera = (more: object = {}) => ({
  gwid,
  name: 'Door-Camera',
  type: 'camera',
  ip: '192.168.1.64',
  mode: 'tcp',
  detect_port: 554,
  web_port: 80,
  shell_port: null,
  ...more,
});
const create = async (more: object = {}) => {
  const answer = await call<{ id: string }>('peripheral/create', camera(more));
  expect(answer).toMatchObject({ code: 2000 });
  return answer.data.id;
};
const list = async (body: object = {}) => (await call<{ list: Row[] }>('peripheral/list', body)).data.list;
const row = async (id: string) => (await list({ limit: 200 })).find((one) => one.id === id);
const remove = (...ids: string[]) => call<{ deleted: number }>('peripheral/delete', { ids });
const query = (text: string, values: unknown[] = []) => server.db.query(text, values);
const collect = () =>
  server.db.database.systemPool.query(
    "select graphile_worker.add_job('peripherals-watch', job_key => 'now', queue_name => 'peripherals-watch')",
  );

describe('peripheral devices', () => {
  it('are added, listed, changed and deleted', async () => {
    const id = await create();
    expect(await row(id)).toMatchObject({
      ...camera(),
      network: 'Shop-17',
      status: 'unknown',
      reason: 'no_gateway',
      rtt_ms: null,
      last_offline_at: null,
      offline_count_30d: null,
      availability_30d: null,
      measured_since: null,
    });
    const changed = camera({ name: 'Back-Camera', mode: 'icmp', detect_port: null });
    expect((await call('peripheral/update', { id, ...changed })).code).toBe(2000);
    expect(await row(id)).toMatchObject(changed);
    expect((await remove(id)).data).toEqual({ deleted: 1 });
    expect(await row(id)).toBeUndefined();
    expect((await remove(id)).code).not.toBe(2000);
    const { data } = await call<{ list: { action: string }[] }>('log/action/list', {});
    const actions = data.list.map(({ action }) => action).filter((action) => action.startsWith('peripheral.'));
    expect(actions).toEqual(['peripheral.delete', 'peripheral.update', 'peripheral.create']);
  });

  it('say since when they are measured, if not for 30 days', async () => {
    const id = await create();
    const now = clock.now().getTime();
    await query("update peripheral set created_at = created_at - interval '60 days' where id = $1", [id]);
    const day = (days: number) => new Date(now - days * 86_400_000).toISOString().slice(0, 10);
    const measured = (days: number, seconds: number) =>
      query('insert into peripheral_day select account_id, id, $2::date, $3::int, 0 from peripheral where id = $1', [
        id,
        day(days),
        seconds,
      ]);
    await measured(0, 1800);
    const since = new Date(now - 1_800_000).toISOString();
    expect(await row(id)).toMatchObject({ availability_30d: 100, measured_since: since });
    await measured(10, 43_200);
    expect(await row(id)).toMatchObject({ measured_since: `${day(10)}T12:00:00.000Z` });
    await measured(29, 86_400);
    expect(await row(id)).toMatchObject({ measured_since: null });
    await remove(id);
  });

  it('refuse public addresses, a TCP check without a port, and a second name or target', async () => {
    const refused = async (more: object) => (await call('peripheral/create', camera(more))).errors;
    for (const ip of ['203.0.113.9', '127.0.0.1', '169.254.1.1', '192.168.1', '192.168.001.1', '::1'])
      expect(await refused({ ip }), ip).toHaveProperty('ip');
    expect(await refused({ detect_port: null })).toHaveProperty('detect_port');
    expect(await refused({ mode: 'icmp' })).toHaveProperty('detect_port');
    expect(await refused({ web_port: 65_536 })).toHaveProperty('web_port');
    expect(await refused({ type: 'toaster' })).toHaveProperty('type');
    const id = await create();
    expect((await call('peripheral/create', camera({ name: 'door-camera', ip: '192.168.1.65' }))).code).toBe(4105);
    expect(await refused({ name: 'Other' })).toHaveProperty('ip');
    await remove(id);
  });

  it('take a MAC address in any notation, or none as null or empty text', async () => {
    const id = await create({ mac: '' });
    expect(await row(id)).toMatchObject({ mac: null });
    for (const mac of ['00:1B:21:aa:00:01', '00-1b-21-AA-00-01', '001b.21aa.0001', '001B21AA0001']) {
      expect(await call('peripheral/update', { id, mac }), mac).toMatchObject({ code: 2000 });
      expect(await row(id), mac).toMatchObject({ mac: '001b21aa0001' });
    }
    expect((await call('peripheral/update', { id, name: 'Yard-Camera' })).code).toBe(2000);
    expect(await row(id)).toMatchObject({ mac: '001b21aa0001' });
    for (const mac of ['', null]) {
      await call('peripheral/update', { id, mac: '001b21aa0001' });
      expect((await call('peripheral/update', { id, mac })).code).toBe(2000);
      expect(await row(id)).toMatchObject({ mac: null });
    }
    for (const mac of ['01:00:5e:00:00:01', '00:00:00:00:00:00', '00:1b:21', 'xx'])
      expect((await call('peripheral/update', { id, mac })).errors, mac).toHaveProperty('mac');
    await remove(id);
  });

  it('are filtered by network, type, status and words, and ordered by address', async () => {
    const other = await network('Shop-18');
    const ids = [
      await create({ ip: '192.168.1.100', name: 'B' }),
      await create({ ip: '192.168.1.20', name: 'A', type: 'printer' }),
      await create({ gwid: other, name: 'C' }),
    ];
    const names = async (body: object) => (await list(body)).map(({ name }) => name);
    expect(await names({ gwid, sort: 'ip' })).toEqual(['A', 'B']);
    expect(await names({ type: 'printer' })).toEqual(['A']);
    expect(await names({ keyword: '1.100' })).toEqual(['B']);
    expect(await names({ status: 'online' })).toEqual([]);
    expect(await names({ status: 'unknown', sort: 'name', order: 'desc', limit: 2 })).toEqual(['C', 'B']);
    await remove(...ids);
  });

  it('are in groups, which several get at once and the list filters', async () => {
    const ids = [
      await create({ name: 'A', ip: '192.168.1.100', group: ' Ground floor ' }),
      await create({ name: 'B', ip: '192.168.1.101', group: 'Attic' }),
      await create({ name: 'C', ip: '192.168.1.102' }),
    ];
    const names = async (body: object) => (await list(body)).map(({ name }) => name);
    const groups = async (body: object = {}) =>
      (await call<{ list: object[] }>('peripheral/group/list', body)).data.list;
    expect(await groups({ gwid })).toEqual([
      { name: 'Attic', count: 1 },
      { name: 'Ground floor', count: 1 },
    ]);
    expect(await names({ group: 'Ground floor' })).toEqual(['A']);
    expect(await names({ keyword: 'attic' })).toEqual(['B']);
    expect(await names({ sort: 'group', order: 'desc' })).toEqual(['A', 'B', 'C']);
    const assign = (group: string | null) => call('peripheral/group/assign', { ids, group });
    expect((await assign('Attic')).data).toEqual({ changed: 2 });
    expect(await names({ group: 'Attic' })).toEqual(['A', 'B', 'C']);
    const { data } = await call<{ list: { id: string; action: string }[] }>('log/action/list', { limit: 2 });
    expect(data.list.map(({ action }) => action)).toEqual(['peripheral.group', 'peripheral.group']);
    expect((await call('peripheral/update', { id: ids[0], name: 'A2' })).code).toBe(2000);
    expect((await row(ids[0]!))?.group).toBe('Attic');
    expect((await assign(null)).data).toEqual({ changed: 3 });
    expect(await groups()).toEqual([]);
    expect((await call('peripheral/create', camera({ group: 'x'.repeat(33) }))).errors).toHaveProperty('group');
    await remove(...ids);
  });

  it('take 200 in a network', async () => {
    const full = await network('Full');
    await query(
      `insert into peripheral (account_id, id, gwid, name, type, ip, mode, created_at)
       select $1, gen_random_uuid(), $2, 'P' || n, 'other', '10.0.0.0'::inet + n, 'icmp', now()
       from generate_series(1, 200) n`,
      [owner.accountId, full],
    );
    expect((await call('peripheral/create', camera({ gwid: full }))).code).toBe(4106);
    await query('delete from peripheral where gwid = $1', [full]);
  });

  it('are exported only with the permission to change them', async () => {
    const id = await create();
    const { data } = await call<{ url: string }>('peripheral/export', { format: 'csv' });
    const file = await (await fetch(new URL(data.url, server.url))).text();
    expect(file).toContain('Door-Camera');
    expect(file).toContain('192.168.1.64');
    const reader = await server.register();
    await query(
      "insert into member (account_id, person_id, person_account_id, role) values ($1, $2, $3, 'marketing')",
      [owner.accountId, reader.userId, reader.accountId],
    );
    const as = { token: reader.token, account: owner.accountId };
    expect((await server.call('/api/v3/peripheral/list', {}, as)).code).toBe(2000);
    expect((await server.call('/api/v3/peripheral/export', { format: 'csv' }, as)).code).toBe(4101);
    await remove(id);
  });
});

describe('a gateway that probes', () => {
  let gateway: AccessPoint;
  const answered = new Set<unknown>();
  let declared: Json | null = null;
  let site: string;
  const yunxun = {
    agent: '0.9.0',
    abilities: { tools: true, watch: true },
    missing: [],
    allowed: { reboot: true, scripts: false },
  };
  const capabilities = { platform: 'olg', compatible: 'yunxun_edge', model: 'Box', compress_cmd: true, yunxun };

  beforeAll(async () => {
    site = await network('Probed');
    gateway = accessPoint(await enrol(server, owner, { gwid: site, platform: 'olg' }), { capabilities });
    await gateway.connect();
    await query('update network set gateway_serial = $1 where gwid = $2', [gateway.options.serial, site]);
  });

  function answer(): void {
    for (const { command } of gateway.received) {
      if (command?.method !== 'yunxun.tool' || answered.has(command.id)) continue;
      answered.add(command.id);
      declared = command.params as Json;
      const result = { serial: gateway.options.serial, status: { error: 0, text: 'Success' } };
      gateway.sendJson({ jsonrpc: '2.0', id: command.id, result });
    }
  }
  const seconds = () => Math.floor(clock.now().getTime() / 1000);
  const report = (id: string, alive: boolean, since: number) => {
    const target = { id, alive, latency_ms: alive ? 1.5 : null, since, at: seconds() };
    gateway.state({
      unit: { uptime: 9000, localtime: seconds() },
      yunxun: { watch: { revision: declared?.revision ?? null, targets: [target] } },
    });
  };
  /** Runs until the condition holds: the report may be pending. */
  const until = (read: () => Promise<unknown>, wanted: object) =>
    expect
      .poll(async () => {
        await collect();
        answer();
        return read();
      })
      .toMatchObject(wanted);

  it('gets its targets, and its results become status, outages and availability', async () => {
    await listedAs(server, owner, gateway.options.serial, { status: 'online' });
    const id = await create({ gwid: site });
    await expect.poll(() => row(id)).toMatchObject({ status: 'unknown', reason: 'waiting' });
    await until(async () => declared ?? {}, {
      tool: 'watch',
      targets: [{ id, address: '192.168.1.64', port: 554 }],
    });
    const begin = seconds();
    report(id, true, begin);
    await until(async () => row(id).then((one) => one ?? {}), { status: 'online', reason: null, rtt_ms: 1.5 });
    clock.advance(60_000);
    report(id, true, begin);
    await until(async () => row(id).then((one) => one ?? {}), { availability_30d: 100 });
    clock.advance(60_000);
    report(id, false, seconds());
    const lost = clock.now().toISOString();
    await until(async () => row(id).then((one) => one ?? {}), {
      status: 'offline',
      last_offline_at: lost,
      offline_count_30d: 1,
      availability_30d: 50,
      rtt_ms: null,
    });
    clock.advance(60_000);
    report(id, true, seconds());
    const back = clock.now().toISOString();
    await until(async () => row(id).then((one) => one ?? {}), { status: 'online', availability_30d: 66.67 });
    const { data } = await call<DataOf<typeof contract.outages>>('peripheral/outages', { id });
    expect(data).toEqual({ list: [{ began_at: lost, ended_at: back }], total: 1 });
    await remove(id);
    await until(async () => declared ?? {}, { targets: [] });
  });

  it('has a first status without waiting for the next minute', async () => {
    await remove(...(await list({ gwid: site, limit: 200 })).map(({ id }) => id));
    const soon = (read: () => Promise<unknown>, wanted: object) =>
      expect
        .poll(() => {
          answer();
          return read();
        })
        .toMatchObject(wanted);
    const id = await create({ gwid: site, name: 'New-Camera', ip: '192.168.1.88' });
    await soon(async () => declared ?? {}, { targets: [{ id, address: '192.168.1.88', port: 554 }] });
    clock.advance(1000);
    report(id, false, seconds());
    await soon(async () => (await row(id)) ?? {}, { status: 'offline', reason: null });
    clock.advance(1000);
    report(id, true, seconds());
    await soon(async () => (await row(id)) ?? {}, { status: 'online' });
    await remove(id);
    await soon(async () => declared ?? {}, { targets: [] });
  });

  it('says that nothing is known while it is offline', async () => {
    const id = await create({ gwid: site, name: 'Printer', ip: '192.168.1.70' });
    void gateway.cut();
    await expect.poll(() => row(id)).toMatchObject({ status: 'unknown', reason: 'gateway_offline' });
  });
});
