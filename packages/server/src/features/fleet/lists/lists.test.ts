import type { fleet as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSerial } from '../../../../test/new-serial.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';

type NetworkRow = DataOf<typeof contract.networkDetail>;
type DeviceRow = DataOf<typeof contract.apUpdate>;
type Attention = DataOf<typeof contract.attention>;
type List<T> = { list: T[]; total: number };

let server: TestServer;
let owner: Registered;
const gwids = new Map<string, string>();

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  for (const remark of ['Alpha', 'Beta', 'Gamma', 'Empty']) {
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner);
    gwids.set(remark, data.gwid);
  }
  // Alpha: offline gateway, online access point
  await insert('Alpha', { kind: 'gateway', remark: 'Router', model: 'R1', gateway: true, away: 7200 });
  await insert('Alpha', { remark: 'a1', online: true, users: 3 });
  // Beta: no gateway; one online device suffices
  await insert('Beta', { remark: 'b1', online: true, users: 5, model: 'EAP102', sync: 'failed' });
  await insert('Beta', { remark: 'b2', away: 600, users: 9, sync: 'in_sync' });
  await insert('Beta', { remark: 'sw', kind: 'switch', online: true });
  // Gamma: restarting
  await insert('Gamma', { remark: 'g1', restarting: true, users: 2 });
  await insert(null, { remark: 'w1', online: true });
});
afterAll(() => server.stop());

interface Given {
  kind?: string;
  remark: string;
  model?: string;
  online?: boolean;
  /** Seconds since it went offline. */
  away?: number;
  restarting?: boolean;
  users?: number;
  gateway?: boolean;
  sync?: string;
}

async function insert(network: string | null, given: Given): Promise<void> {
  const { systemPool } = server.db.database;
  const serial = newSerial();
  const gwid = network ? gwids.get(network) : null;
  await systemPool.query(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, model, bound_at, first_seen, last_seen, online, online_since,
       offline_since, restarting_since, sync_state, sync_since, sync_reason)
     values (true, $1, $2, $3, $4, $5, $6, now(), now(), now() - make_interval(secs => $7), $8, case when $8 then now() end,
       case when $7 > 0 then now() - make_interval(secs => $7) end, case when $9 then now() end, $10, now(), 'no such channel')`,
    [
      owner.accountId,
      serial,
      gwid,
      given.kind ?? 'ap',
      given.remark,
      given.model ?? null,
      given.away ?? 0,
      given.online ?? false,
      given.restarting ?? false,
      given.sync ?? null,
    ],
  );
  if (given.gateway) await systemPool.query('update network set gateway_serial = $1 where gwid = $2', [serial, gwid]);
  if (given.users !== undefined) {
    await systemPool.query(
      'insert into device_latest (account_id, serial, at, uptime_s, mem_used, mem_total, clients_total) values ($1, $2, now(), 60, 1, 2, $3)',
      [owner.accountId, serial, given.users],
    );
  }
}

async function networks(query: object = {}): Promise<List<NetworkRow>> {
  return (await server.call<List<NetworkRow>>('/api/v3/network/list', query, owner)).data;
}

async function devices(query: object = {}): Promise<List<DeviceRow>> {
  return (await server.call<List<DeviceRow>>('/api/v3/ap/list', query, owner)).data;
}

const names = ({ list }: List<{ remark: string }>) => list.map((row) => row.remark);

describe('the list of networks', () => {
  it('finds networks by their ids, and none of another account', async () => {
    const { list } = await networks();
    const [alpha, , empty] = list;
    const stranger = await server.register();
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Theirs' }, stranger);
    const asked = { gwids: [empty?.gwid, data.gwid, alpha?.gwid] };
    expect(names(await networks(asked))).toEqual(['Alpha', 'Empty']);
    expect((await networks({ ...asked, keyword: 'alph' })).total).toBe(1);
    expect((await server.call('/api/v3/network/list', { gwids: [] }, owner)).status).toBe(422);
  });

  it('adds up what each network’s devices say', async () => {
    const { list, total } = await networks();
    expect(total).toBe(4);
    const [alpha, beta, empty, gamma] = list;
    expect(alpha).toMatchObject({
      remark: 'Alpha',
      status: 'offline',
      has_gateway: true,
      model: 'R1',
      ap_num: 1,
      ap_online_num: 1,
    });
    expect(alpha?.status_since).not.toBeNull();
    expect(beta).toMatchObject({
      remark: 'Beta',
      status: 'online',
      device_num: 3,
      ap_num: 2,
      ap_online_num: 1,
      online_user: 5,
    });
    expect(beta).toMatchObject({ sync_state: 'failed', model: null, sn: null });
    expect(empty).toMatchObject({
      remark: 'Empty',
      status: 'never_connected',
      device_num: 0,
      online_user: null,
      as_of: null,
    });
    expect(gamma).toMatchObject({ remark: 'Gamma', status: 'restarting', online_user: 2, running_time: 60 });
    expect(gamma?.as_of).not.toBeNull();
  });

  it('counts a client once that gateway and access point list', async () => {
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Delta' }, owner);
    gwids.set('Delta', data.gwid);
    const delta = async () => (await networks({ keyword: 'Delta' })).list[0]?.online_user;
    await insert('Delta', { kind: 'gateway', remark: 'DR', gateway: true, online: true, users: 7 });
    await insert('Delta', { remark: 'd1', online: true, users: 3 });
    await insert('Delta', { remark: 'd2', online: true, users: 2 });
    expect(await delta()).toBe(7);
    await insert('Delta', { remark: 'd3', online: true, users: 9 });
    expect(await delta()).toBe(14);
    await server.db.database.systemPool.query('delete from device where gwid = $1', [data.gwid]);
    await server.db.database.systemPool.query('delete from network where gwid = $1', [data.gwid]);
  });

  it.each([
    [{ status: 'offline' }, ['Alpha']],
    [{ status: 'online' }, ['Beta']],
    [{ sync_state: 'failed' }, ['Beta']],
    [{ model: 'EAP102' }, ['Beta']],
    [{ keyword: 'lph' }, ['Alpha']],
    [{ keyword: 'eap1' }, ['Beta']],
    [{ keyword: '100%' }, []],
    [{ sort: 'status' }, ['Beta', 'Gamma', 'Alpha', 'Empty']],
    [{ sort: 'status', order: 'desc' }, ['Empty', 'Alpha', 'Gamma', 'Beta']],
    [{ sort: 'remark', order: 'desc', limit: 2 }, ['Gamma', 'Empty']],
    [{ limit: 2, page: 2 }, ['Empty', 'Gamma']],
  ])('%j gives %j', async (query, expected) => {
    expect(names(await networks(query))).toEqual(expected);
  });

  it('keeps its total on any page, and takes only the sorts it names', async () => {
    expect((await networks({ limit: 2, page: 2 })).total).toBe(4);
    expect(await networks({ limit: 2, page: 9, sort: 'status' })).toEqual({ list: [], total: 4 });
    const wrong = await server.call('/api/v3/network/list', { sort: 'gwid; drop table network' }, owner);
    expect(wrong.status).toBe(422);
  });

  it('finds a device by its MAC in any spelling', async () => {
    const [row] = (await devices({ keyword: 'a1' })).list;
    const mac = row?.mac.toUpperCase() ?? '';
    expect(names(await devices({ keyword: mac }))).toEqual(['a1']);
    expect(names(await networks({ keyword: mac.replaceAll(':', '-') }))).toEqual(['Alpha']);
  });
});

describe('the list of devices', () => {
  it.each([
    [{}, ['a1', 'b1', 'b2', 'g1']],
    [{ kind: 'switch' }, ['sw']],
    [{ kind: 'gateway' }, ['Router']],
    [{ status: 'offline' }, ['b2']],
    [{ sync_state: 'in_sync' }, ['b2']],
    [{ sort: 'online_user', order: 'desc', limit: 3 }, ['b2', 'b1', 'a1']],
    [{ sort: 'model' }, ['b1']],
  ])('%j gives %j', async (query, expected) => {
    expect(names(await devices(query)).slice(0, expected.length)).toEqual(expected);
    if (!('sort' in query)) expect((await devices(query)).total).toBe(expected.length);
  });

  it('of one network knows which is its gateway', async () => {
    const { list, total } = await devices({ gwid: gwids.get('Alpha'), kind: 'gateway' });
    expect(total).toBe(1);
    expect(list.every(({ network }) => network !== null)).toBe(true);
    expect(list[0]).toMatchObject({ remark: 'Router', is_gateway: true, status: 'offline', online_since: null });
  });

  it('finds an access point that is the gateway among gateways and among access points', async () => {
    const gwid = gwids.get('Empty');
    await insert('Empty', { remark: 'both', online: true, gateway: true });
    expect(names(await devices({ gwid, kind: 'gateway' }))).toEqual(['both']);
    expect(names(await devices({ gwid }))).toEqual(['both']);
    await server.db.database.systemPool.query('update network set gateway_serial = null where gwid = $1', [gwid]);
    await server.db.database.systemPool.query(`delete from device where gwid = $1`, [gwid]);
  });
});

describe('the overview', () => {
  it('counts online devices and lists problems, an offline gateway in place of the devices behind it', async () => {
    await insert('Alpha', { remark: 'a2', away: 60 });
    const { data } = await server.call<Attention>('/api/v3/overview/attention', {}, owner);
    expect(data.networks).toEqual({ total: 4, online: 1, offline: 1, restarting: 1, never_connected: 1, unknown: 0 });
    expect(data.aps).toMatchObject({ total: 5, online: 2, offline: 2, restarting: 1 });
    expect(data.offline.list.map((row) => [row.type, row.remark])).toEqual([
      ['network', 'Alpha'],
      ['device', 'b2'],
    ]);
    expect(data.offline.total).toBe(2);
    expect(data.config_failed).toMatchObject({ total: 1, list: [{ remark: 'b1', reason: 'no such channel' }] });
    expect(data.waiting).toMatchObject({ total: 1, list: [{ status: 'online' }] });
    expect(data.jobs_failed).toEqual({ list: [], total: 0 });
  });
});
