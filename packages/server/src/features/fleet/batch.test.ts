import type { fleetBatch as contract, DataOf, fleetViews as viewContract } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newSerial } from '../../../test/new-serial.ts';
import { seedPerson } from '../../../test/seed-account.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { insertStationRows } from '../../telemetry/testing/stations.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  owner = await server.register();
});

const call = <T = unknown>(path: string, input: object, as: { token: string; account?: string } = owner) =>
  server.call<T>(path, input, as);

async function network(remark: string, tags: string[] = []): Promise<string> {
  const { data } = await call<{ gwid: string }>('/api/v3/network/create', { remark });
  if (tags.length > 0) await call('/api/v3/network/tag', { gwids: [data.gwid], add: tags });
  return data.gwid;
}

async function device(gwid: string, remark: string, online = false): Promise<string> {
  const serial = newSerial();
  await server.db.database.systemPool.query(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, bound_at, first_seen, last_seen, online, online_since)
     values (true, $1, $2, $3, 'ap', $4, now(), now(), now(), $5, case when $5 then now() end)`,
    [owner.accountId, serial, gwid, remark, online],
  );
  return serial;
}

async function router(gwid: string): Promise<string> {
  const serial = await device(gwid, 'Router', true);
  const { systemPool } = server.db.database;
  await systemPool.query("update device set kind = 'gateway' where serial = $1", [serial]);
  await systemPool.query('update network set gateway_serial = $2 where gwid = $1', [gwid, serial]);
  return serial;
}

/** Sets clients by MAC suffix; devices are online unless `offline`. */
async function terminals(there: Record<string, string[]>): Promise<void> {
  const { database } = server.db;
  const { rows } = await database.systemPool.query<{ serial: string; gwid: string }>(
    'select serial, gwid from device where serial = any($1)',
    [Object.keys(there)],
  );
  await database.systemPool.query(
    `insert into device_link (account_id, serial, epoch, node, connected_since, last_frame_at)
     select account_id, serial, 1, gen_random_uuid(), case when online then now() end, now() from device where serial = any($1)`,
    [Object.keys(there)],
  );
  const at = new Date();
  await insertStationRows(
    database,
    'station_open',
    rows.flatMap(({ serial, gwid }) =>
      there[serial]!.map((end) => ({
        account_id: owner.accountId,
        serial,
        gwid,
        mac: `0000000000${end}`,
        bssid: '',
        band: 5,
        started_at: at,
        last_at: at,
      })),
    ),
  );
}

async function names(query: object = {}): Promise<string[]> {
  const { data } = await call<{ list: { remark: string }[] }>('/api/v3/ap/list', query);
  return data.list.map(({ remark }) => remark);
}

async function tagsOf(gwid: string): Promise<string[]> {
  return (await call<{ tags: string[] }>('/api/v3/network/detail', { gwid })).data.tags;
}

async function undoLast() {
  const { data } = await call<{ list: { seq: number }[] }>('/api/v3/log/action/list', {});
  return call('/api/v3/log/action/undo', { seq: data.list[0]!.seq });
}

describe('every result of a list', () => {
  it('is what the list shows, however many pages that has', async () => {
    for (let n = 0; n < 12; n += 1) await network(`Hotel-${n}`, ['Hotel']);
    const shop = await network('Shop');
    const all = { tag: 'Hotel', total: 12 };
    expect((await call('/api/v3/network/chosen', { all })).data).toMatchObject({ total: 12, online: 0 });
    expect((await call('/api/v3/network/tag', { all, add: ['Spring'] })).data).toEqual({ changed: 12 });
    expect(await tagsOf(shop)).toEqual([]);
    expect((await call('/api/v3/network/list', { tag: 'Spring' })).data).toMatchObject({ total: 12 });
  });

  it('is refused when it has become another number since the person looked', async () => {
    await network('One');
    const two = await network('Two');
    expect(await call('/api/v3/network/tag', { all: { total: 1 }, add: ['x'] })).toMatchObject({
      code: 4104,
      data: { total: 2 },
    });
    expect(await tagsOf(two)).toEqual([]);
  });

  it('restarts the online devices', async () => {
    const gwid = await network('Hall');
    await device(gwid, 'A', true);
    await device(gwid, 'B');
    const all = { gwid, kind: 'ap', total: 2 };
    expect((await call('/api/v3/ap/chosen', { all })).data).toEqual({
      total: 2,
      online: 1,
      users: 0,
      names: ['A', 'B'],
    });
    const { data } = await call<{ job_id: string }>('/api/v3/ap/reboot', { all });
    expect((await call('/api/v3/job/detail', { job_id: data.job_id })).data).toMatchObject({ total: 2 });
  });

  it('counts each disconnecting client once, and with a gateway its whole network', async () => {
    const gwid = await network('Hall');
    const [gateway, near, far] = [
      await router(gwid),
      await device(gwid, 'Near', true),
      await device(gwid, 'Far', true),
    ];
    const [away, other] = [await device(gwid, 'Away'), await device(await network('Shop'), 'Shop', true)];
    await terminals({ [gateway]: ['01', '02', '03', '04'], [near]: ['01', '02'], [far]: ['02', '03'], [away]: ['09'] });
    const users = async (serials: string[]) =>
      (await call<{ users: number }>('/api/v3/ap/chosen', { serials })).data.users;
    expect(await users([near])).toBe(2);
    expect(await users([near, far])).toBe(3);
    expect(await users([gateway, near, far, away])).toBe(4);
    expect(await users([gateway])).toBe(4);
    await server.db.database.systemPool.query('delete from station_open where serial = $1', [gateway]);
    expect(await users([gateway])).toBe(3);
    expect(await users([away, other])).toBe(0);
  });

  it('and ids are two ways of saying it: one of them, no more and no less', async () => {
    const gwid = await network('Hall');
    expect(await call('/api/v3/network/chosen', {})).toMatchObject({ status: 422 });
    expect(await call('/api/v3/network/chosen', { gwids: [gwid], all: { total: 1 } })).toMatchObject({ status: 422 });
  });
});

describe('tags', () => {
  it('are added and taken off in one step that can be taken back', async () => {
    const [one, two] = [await network('One', ['a', 'b']), await network('Two', ['a', 'b'])];
    const changed = await call('/api/v3/network/tag', { gwids: [one, two], add: ['c'], remove: ['a'] });
    expect(changed.data).toEqual({ changed: 2 });
    expect([await tagsOf(one), await tagsOf(two)]).toEqual([
      ['b', 'c'],
      ['b', 'c'],
    ]);
    const { data } = await call<{ list: object[] }>('/api/v3/log/action/list', {});
    expect(data.list[0]).toMatchObject({
      before: expect.arrayContaining([{ name: 'One', gwid: one, tags: ['a', 'b'] }]),
      after: expect.arrayContaining([{ name: 'One', gwid: one, tags: ['b', 'c'] }]),
    });
    expect((await undoLast()).code).toBe(2000);
    expect((await tagsOf(one)).toSorted()).toEqual(['a', 'b']);
  });

  it('are one in another letter case', async () => {
    const [one, two] = [await network('One', ['North', 'a']), await network('Two')];
    await call('/api/v3/network/tag', { gwids: [one], add: ['NORTH', 'b'], remove: ['A'] });
    expect(await tagsOf(one)).toEqual(['North', 'b']);
    await call('/api/v3/network/update', { gwid: two, remark: 'Two', tags: ['north', 'North'] });
    expect(await tagsOf(two)).toEqual(['north']);
    expect((await call('/api/v3/network/list', { tag: 'NORTH' })).data).toMatchObject({ total: 2 });
    const { data } = await call<{ list: { tag: string; networks: number }[] }>('/api/v3/network/tag/list', {});
    expect(data.list.map(({ tag, networks }) => [tag.toLowerCase(), networks])).toEqual([
      ['b', 1],
      ['north', 2],
    ]);
  });

  it('beyond twenty change nothing at all', async () => {
    const many = Array.from({ length: 20 }, (_, n) => `t${n}`);
    const [full, empty] = [await network('Full', many), await network('Empty')];
    expect(await call('/api/v3/network/tag', { gwids: [full, empty], add: ['more'] })).toMatchObject({
      code: 4106,
      data: { limit: 20, used: 21, refs: ['Full'] },
    });
    expect(await tagsOf(empty)).toEqual([]);
  });

  it('of a device, and of its network, find it', async () => {
    const [hotel, shop] = [await network('Hotel', ['North']), await network('Shop')];
    await device(hotel, 'A');
    const outside = await device(shop, 'B');
    await device(shop, 'C');
    await call('/api/v3/ap/tag', { serials: [outside], add: ['North'] });
    expect(await names({ tag: 'North' })).toEqual(['A', 'B']);
    expect((await call('/api/v3/network/tag/list', {})).data).toEqual({
      list: [{ tag: 'North', networks: 1, devices: 1 }],
    });
  });
});

describe('many devices', () => {
  it('are named one after another', async () => {
    const gwid = await network('Hall');
    const [a, b, c] = [await device(gwid, 'x'), await device(gwid, 'y'), await device(gwid, 'Hall-09')];
    const input = { serials: [c, a, b], prefix: 'Hall-', start: 9, digits: 2 };
    expect((await call('/api/v3/ap/batch_rename', input)).data).toEqual({ renamed: 2 });
    expect(await names({ gwid })).toEqual(['Hall-09', 'Hall-10', 'Hall-11']);
  });

  it('move together and back again, and a gateway stays', async () => {
    const [here, there] = [await network('Here'), await network('There')];
    const serials = [await device(here, 'A'), await device(here, 'B')];
    expect((await call('/api/v3/ap/move', { serials, gwid: there })).data).toEqual({ moved: 2 });
    expect(await names({ gwid: there })).toEqual(['A', 'B']);
    expect((await undoLast()).code).toBe(2000);
    expect(await names({ gwid: here })).toEqual(['A', 'B']);
    const { systemPool } = server.db.database;
    await systemPool.query('update network set gateway_serial = $1 where gwid = $2', [serials[0], here]);
    expect(await call('/api/v3/ap/move', { serials, gwid: there })).toMatchObject({
      code: 4109,
      data: { refs: [serials[0]] },
    });
    expect(await names({ gwid: there })).toEqual([]);
  });

  it('are unbound together: those of the list, with one row in the log, and no more than five hundred', async () => {
    const [hall, shop] = [await network('Hall'), await network('Shop')];
    const serials = [await device(hall, 'A'), await device(shop, 'B')];
    await device(shop, 'C');
    const stranger = await server.register();
    expect(await call('/api/v3/ap/unbind', { serials }, stranger)).toMatchObject({ code: 4113 });
    expect((await call('/api/v3/ap/unbind', { serials })).data).toMatchObject({ devices: 2 });
    expect(await names()).toEqual(['C']);
    const { data } = await call<{ list: { action: string }[] }>('/api/v3/log/action/list', {});
    expect(data.list.filter(({ action }) => action === 'device.unbind')).toMatchObject([
      {
        object: { type: 'selection', name: 'A, B' },
        before: {
          units: [
            { serial: serials[0], gwid: hall },
            { serial: serials[1], gwid: shop },
          ],
        },
      },
    ]);
    expect(await call('/api/v3/ap/unbind', { all: { kind: 'ap', total: 2 } })).toMatchObject({ code: 4104 });
    expect((await call('/api/v3/ap/unbind', { all: { kind: 'ap', total: 1 } })).data).toMatchObject({ devices: 1 });
    await server.db.database.systemPool.query(
      `insert into device (confirmed, account_id, serial, gwid, kind, remark, bound_at)
       select true, $1, '7d' || lpad(to_hex(n), 10, '0'), $2, 'ap', 'Room-' || n, now() from generate_series(1, 501) n`,
      [owner.accountId, hall],
    );
    expect(await call('/api/v3/ap/unbind', { all: { kind: 'ap', total: 501 } })).toMatchObject({
      code: 4106,
      data: { limit: 500, used: 501 },
    });
  });

  it('keeps networks that have devices, and says so when there is nothing to delete', async () => {
    const [full, empty] = [await network('Full'), await network('Empty')];
    await device(full, 'A');
    const gwids = [full, empty];
    expect((await call('/api/v3/network/batch_delete', { gwids })).data).toEqual({ deleted: 1, kept: 1 });
    expect(await call('/api/v3/network/batch_delete', { gwids: [full] })).toMatchObject({ code: 4109 });
    expect((await call('/api/v3/network/list', {})).data).toMatchObject({ total: 1 });
  });

  it('takes along what stood for the networks: a template of theirs is in use no more', async () => {
    const empty = await network('Empty');
    const given = { kind: 'wireless', name: 'Rooms', ssids: [], radios: [] };
    const { id } = (await call<{ id: string }>('/api/v3/wireless_template/create', given)).data;
    await server.db.database.systemPool.query(
      `insert into standing_layer (account_id, kind, layer_id, version, scope, ref) values ($1, 'wireless', $2, 1, 'network', $3)`,
      [owner.accountId, id, empty],
    );
    expect(await call('/api/v3/wireless_template/delete', { id })).toMatchObject({ code: 4109 });
    await call('/api/v3/network/batch_delete', { gwids: [empty] });
    expect(await call('/api/v3/wireless_template/delete', { id })).toMatchObject({ code: 2000 });
  });
});

describe('a device that takes the place of another', () => {
  it('is called as that was, works where it worked, and has its settings; the other is gone', async () => {
    const [hall, elsewhere] = [await network('Hall'), await network('Elsewhere')];
    const [old, fresh] = [await device(hall, 'Hall-1'), await device(elsewhere, 'New')];
    const { data: rooms } = await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Rooms' });
    await call('/api/v3/ap/group/assign', { serials: [old], id: rooms.id });
    await call('/api/v3/ap/tag', { serials: [old], add: ['Outdoor'] });
    const radio = { band: '5G', enabled: null, channel: 149, width: null, mode: null, power: 'low' };
    const saved = await call('/api/v3/ap/override/save', { serial: old, version: 0, radios: [radio], ssids_off: [] });
    expect(saved.code).toBe(2000);
    await server.db.database.systemPool.query('update network set gateway_serial = $1 where gwid = $2', [old, hall]);
    expect((await call('/api/v3/ap/replace', { serial: old, by: fresh })).code).toBe(2000);
    expect((await call('/api/v3/ap/detail', { serial: fresh })).data).toMatchObject({
      gwid: hall,
      remark: 'Hall-1',
      tags: ['Outdoor'],
      group: { id: rooms.id },
      is_gateway: true,
    });
    expect((await call('/api/v3/ap/override/get', { serial: fresh })).data).toMatchObject({ radios: [radio] });
    expect((await call('/api/v3/ap/detail', { serial: old })).code).toBe(4113);
    expect(await names({ gwid: elsewhere })).toEqual([]);
  });

  it('is of the same kind', async () => {
    const hall = await network('Hall');
    const [old, fresh] = [await device(hall, 'A'), await device(hall, 'B')];
    await server.db.database.systemPool.query("update device set kind = 'switch' where serial = $1", [fresh]);
    expect((await call('/api/v3/ap/replace', { serial: old, by: fresh })).code).not.toBe(2000);
    expect((await call('/api/v3/ap/replace', { serial: old, by: old })).code).toBe(4113);
    expect(await names({ gwid: hall })).toEqual(['A']);
  });
});

describe('groups', () => {
  type Groups = DataOf<typeof contract.groupList>;

  it('span networks; a device is in one at most', async () => {
    const [one, two] = [await network('One'), await network('Two')];
    const serials = [await device(one, 'A', true), await device(two, 'B')];
    const { data: rooms } = await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Rooms' });
    const { data: halls } = await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Halls' });
    expect((await call('/api/v3/ap/group/assign', { serials, id: rooms.id })).data).toEqual({ changed: 2 });
    await call('/api/v3/ap/group/assign', { serials: [serials[0]], id: halls.id });
    expect((await call<Groups>('/api/v3/ap/group/list', {})).data.list).toEqual([
      { id: halls.id, name: 'Halls', devices: 1, online: 1, networks: 1 },
      { id: rooms.id, name: 'Rooms', devices: 1, online: 0, networks: 1 },
    ]);
    expect(await names({ group_id: rooms.id })).toEqual(['B']);
    expect((await call('/api/v3/ap/group/delete', { id: rooms.id })).data).toEqual({ released: 1 });
    expect(await names({ group_id: null })).toEqual(['B']);
  });

  it('have names of their own', async () => {
    const { data: rooms } = await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Rooms' });
    await call('/api/v3/ap/group/create', { name: 'Halls' });
    for (const name of ['Rooms', 'rooms']) expect((await call('/api/v3/ap/group/create', { name })).code).toBe(4105);
    expect((await call('/api/v3/ap/group/update', { id: rooms.id, name: 'HALLS' })).code).toBe(4105);
    expect((await call('/api/v3/ap/group/update', { id: rooms.id, name: 'Rooms' })).code).toBe(2000);
  });

  it('are visible but read-only with access to some of their networks', async () => {
    const [shown, hidden] = [await network('Shown'), await network('Hidden')];
    const serials = [await device(shown, 'A'), await device(hidden, 'B')];
    const { data: both } = await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Both' });
    await call('/api/v3/ap/group/create', { name: 'Nobody' });
    await call('/api/v3/ap/group/assign', { serials, id: both.id });
    const member = await seedPerson(server);
    await server.db.database.systemPool.query(
      "insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, 'operator', $4)",
      [owner.accountId, member.userId, member.accountId, [shown]],
    );
    const as = { token: member.token, account: owner.accountId };
    const list = await call<Groups>('/api/v3/ap/group/list', {}, as);
    expect(list.data.list).toEqual([{ id: both.id, name: 'Both', devices: 1, online: 0, networks: 1 }]);
    const narrowed = { code: 4101, data: { permission: 'network.write', reason: 'networks' } };
    for (const [path, input] of [
      ['create', { name: 'Mine' }],
      ['update', { id: both.id, name: 'Mine' }],
      ['delete', { id: both.id }],
    ] as const) {
      expect(await call(`/api/v3/ap/group/${path}`, input, as), path).toMatchObject(narrowed);
    }
    expect((await call('/api/v3/ap/group/assign', { serials: [serials[0]], id: null }, as)).code).toBe(2000);
    expect((await call<Groups>('/api/v3/ap/group/list', {})).data.list[0]).toMatchObject({ devices: 1 });
  });
});

describe('saved views', () => {
  type Views = DataOf<typeof viewContract.viewList>;
  const hotels = { list: 'networks', name: 'Hotels', search: { tag: 'Hotel', sort: 'status' } };

  it("are the person's own until they are shared", async () => {
    const colleague = await seedPerson(server);
    await server.db.database.systemPool.query(
      "insert into member (account_id, person_id, person_account_id, role) values ($1, $2, $3, 'auditor')",
      [owner.accountId, colleague.userId, colleague.accountId],
    );
    const as = { token: colleague.token, account: owner.accountId };
    const list = async (caller: { token: string; account?: string }) =>
      (await call<Views>('/api/v3/view/list', { list: 'networks' }, caller)).data.list;
    const { data } = await call<{ id: string }>('/api/v3/view/save', { ...hotels, shared: false });
    expect(await list(owner)).toEqual([{ id: data.id, version: 1, ...pick(hotels), shared: false, own: true }]);
    expect(await list(as)).toEqual([]);
    expect((await call('/api/v3/view/delete', { id: data.id }, as)).code).toBe(4113);
    await call('/api/v3/view/save', { ...hotels, id: data.id, version: 1, shared: true });
    expect(await list(as)).toEqual([{ id: data.id, version: 2, ...pick(hotels), shared: true, own: false }]);
    expect((await call('/api/v3/view/delete', { id: data.id }, as)).code).toBe(4101);
    expect((await call('/api/v3/view/save', { ...hotels, shared: false }, as)).code).toBe(2000);
    expect((await call('/api/v3/view/save', { ...hotels, name: 'Ours', shared: true }, as)).code).toBe(4101);
  });

  it('have names of their own, and come back when their deletion is undone', async () => {
    const { data } = await call<{ id: string }>('/api/v3/view/save', { ...hotels, shared: false });
    expect((await call('/api/v3/view/save', { ...hotels, shared: false })).code).toBe(4105);
    const shouted = { ...hotels, name: hotels.name.toUpperCase(), shared: false };
    expect((await call('/api/v3/view/save', shouted)).code).toBe(4105);
    await call('/api/v3/view/delete', { id: data.id });
    expect((await undoLast()).code).toBe(2000);
    expect((await call<Views>('/api/v3/view/list', { list: 'networks' })).data.total).toBe(1);
  });

  const pick = ({ name, search }: typeof hotels) => ({ name, search });
});
