import type { map as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { seedPerson } from '../../../test/seed-account.ts';
import { makeTelemetry } from '../../../test/seed-statistics.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { readConfig } from '../../platform/config.ts';
import { administrator } from '../installation/testing/administrator.ts';

type Shown = DataOf<typeof contract.list>;

const clock = new ManualClock(new Date());
let server: TestServer;
let owner: Registered;
let lobby: string;
let cafe: string;
let yard: string;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  const telemetry = await makeTelemetry(server, owner, clock);
  [lobby, cafe, yard] = [
    await telemetry.network('Lobby'),
    await telemetry.network('Cafe'),
    await telemetry.network('Yard'),
  ];
  await telemetry.device(lobby, { kind: 'ap', online: true });
  await telemetry.device(cafe, { kind: 'ap', online: false });
});
afterAll(() => server.stop());

const call = <T>(path: string, body: object = {}, as: object = owner) =>
  server.call<T>(`/api/v3/map/${path}`, body, as);
const shown = async (body: object = {}, as?: object) => (await call<Shown>('list', body, as)).data;

it('shows networks where they were placed, with how they are, and names those without a place', async () => {
  await call('place', { gwid: lobby, lat: 30.2741, lng: 120.1551, address: 'West-Lake' });
  await call('place', { gwid: cafe, lat: -33.9, lng: 151.2 });
  const { points, unplaced, left_out } = await shown();
  expect(points.toSorted((a, b) => a.remark.localeCompare(b.remark))).toMatchObject([
    { gwid: cafe, remark: 'Cafe', lat: -33.9, lng: 151.2, status: 'offline', ap_num: 1, ap_online_num: 0 },
    { gwid: lobby, remark: 'Lobby', lat: 30.2741, lng: 120.1551, address: 'West-Lake', status: 'online' },
  ]);
  expect({ unplaced, left_out }).toEqual({
    unplaced: { total: 1, list: [{ gwid: yard, remark: 'Yard' }] },
    left_out: 0,
  });
});

it('shows the worst level of the active alarms of a network', async () => {
  const alarms = async () => (await shown()).points.find(({ gwid }) => gwid === lobby)?.alarms;
  expect(await alarms()).toEqual({ total: 0, worst: null });
  const add = (level: string, state: string) =>
    server.db.database.systemPool.query(
      `insert into alarm (account_id, id, kind, level, state, gwid, serial, part, name, network, began_at, last_at, count, devices_hit)
       values ($1, gen_random_uuid(), 'backup_overdue', $2, $3, $4, null, $2 || $3, 'Lobby', 'Lobby', $5, $5, 1, 1)`,
      [owner.accountId, level, state, lobby, clock.now()],
    );
  await add('GENERAL', 'firing');
  await add('MIDDLE', 'acknowledged');
  await add('FATAL', 'silenced');
  expect(await alarms()).toEqual({ total: 2, worst: 'MIDDLE' });
  await server.db.database.systemPool.query('delete from alarm where account_id = $1', [owner.accountId]);
});

it('is narrowed by tag and by name, the placed and the others alike', async () => {
  await server.call('/api/v3/network/update', { gwid: cafe, remark: 'Cafe', tags: ['Sydney'] }, owner);
  expect(await shown({ tag: 'Sydney' })).toMatchObject({ points: [{ gwid: cafe }], unplaced: { total: 0, list: [] } });
  expect(await shown({ keyword: 'yar' })).toMatchObject({ points: [], unplaced: { total: 1, list: [{ gwid: yard }] } });
});

it('moves what has a place and keeps its address, takes it off, and both can be undone', async () => {
  expect((await call('place', { gwid: lobby, lat: 31, lng: 121 })).data).toMatchObject({
    lat: 31,
    address: 'West-Lake',
  });
  const undo = async () => {
    const { data } = await server.call<{ list: { seq: number }[] }>(
      '/api/v3/log/action/list',
      { page: 1, limit: 1 },
      owner,
    );
    expect((await server.call('/api/v3/log/action/undo', { seq: data.list[0]!.seq }, owner)).code).toBe(2000);
  };
  await undo();
  const at = async () => (await shown()).points.find(({ gwid }) => gwid === lobby);
  expect(await at()).toMatchObject({ lat: 30.2741 });
  expect((await call('unplace', { gwid: lobby })).data).toEqual({ removed: true });
  expect(await at()).toBeUndefined();
  await undo();
  expect(await at()).toMatchObject({ lat: 30.2741, address: 'West-Lake' });
  expect((await call('unplace', { gwid: yard })).data).toEqual({ removed: false });
  await call('place', { gwid: yard, lat: 1, lng: 2, address: null });
  await call('unplace', { gwid: yard });
  await undo();
  expect((await shown()).points.find(({ gwid }) => gwid === yard)).toMatchObject({ lat: 1, address: '' });
});

it('refuses what is no place on a map', async () => {
  for (const wrong of [
    { lat: 86, lng: 0 },
    { lat: 0, lng: 181 },
    { lat: 'x', lng: 0 },
  ])
    expect((await call('place', { gwid: lobby, ...wrong })).code).toBe(422);
});

it('hands out the tiles of the installation, and lets pages show pictures of their origin and no other', async () => {
  const seen = async (from: TestServer, as: object) => ({
    tiles: (await from.call<Shown>('/api/v3/map/list', {}, as)).data.tiles,
    policy: (await fetch(`${from.url}/map`)).headers.get('content-security-policy')!,
  });
  const plain = await seen(server, owner);
  expect(plain.tiles).toBeNull();
  expect(plain.policy).not.toContain('img-src');
  const url = 'https://tiles.example.org:8443/{z}/{x}/{y}.png';
  const withTiles = async (YUNXUN_MAP_TILES: string) => {
    const { mapTiles } = readConfig({ YUNXUN_MAP_TILES, YUNXUN_MAP_ATTRIBUTION: '© Survey' });
    const other = await startTestServer({ config: { mapTiles } });
    try {
      return await seen(other, await other.register());
    } finally {
      await other.stop();
    }
  };
  const more = { overlay: null, attribution: '© Survey', datum: 'wgs84' };
  expect(await withTiles(url)).toEqual({
    tiles: { url, ...more },
    policy: `${plain.policy}; img-src 'self' https://tiles.example.org:8443`,
  });
  expect(await withTiles('/tiles/{z}/{x}/{y}.png')).toEqual({
    tiles: { url: '/tiles/{z}/{x}/{y}.png', ...more },
    policy: plain.policy,
  });
});

it('shows the base map that an administrator chooses, and pages may load it from then on', async () => {
  const admin = await administrator(server);
  const save = (body: object) => server.call('/api/v3/install/map', body, admin);
  const seen = async () => ({
    tiles: (await shown()).tiles,
    policy: (await fetch(`${server.url}/map`)).headers.get('content-security-policy')!,
  });
  expect((await save({ preset: 'amap' })).code).toBe(2000);
  expect(await seen()).toMatchObject({
    tiles: { datum: 'gcj02', overlay: null, attribution: '© 高德地图' },
    policy: expect.stringMatching(/; img-src 'self' https:\/\/webrd02\.is\.autonavi\.com$/),
  });
  expect(await save({ preset: 'tianditu' })).toMatchObject({ code: 422, errors: { key: [expect.any(String)] } });
  expect((await save({ preset: 'tianditu', key: 'a+b' })).code).toBe(2000);
  expect((await seen()).tiles).toMatchObject({
    url: expect.stringMatching(/LAYER=vec&.*TILEMATRIX=\{z\}&TILEROW=\{y\}&TILECOL=\{x\}&tk=a%2Bb$/),
    overlay: expect.stringContaining('LAYER=cva&'),
    datum: 'wgs84',
  });
  for (const url of ['', 'https://tiles.example.org/{z}/{x}.png', 'https://*/{z}/{x}/{y}.png'])
    expect(await save({ preset: 'own', url })).toMatchObject({ code: 422, errors: { url: [expect.any(String)] } });
  const url = 'https://maps.example.cn/{z}/{x}/{y}';
  expect((await save({ preset: 'own', url, attribution: '© Ours', datum: 'gcj02' })).code).toBe(2000);
  expect(await seen()).toMatchObject({
    tiles: { url, attribution: '© Ours', datum: 'gcj02' },
    policy: expect.stringContaining('https://maps.example.cn'),
  });
  expect((await save({ preset: 'none' })).code).toBe(2000);
  expect(await seen()).toMatchObject({ tiles: null, policy: expect.not.stringContaining('img-src') });
  expect((await server.call('/api/v3/install/map', { preset: 'osm' }, owner)).code).toBe(4101);
});

it('shows a guest the networks of the grant only, and lets it place no other', async () => {
  const guest = await seedPerson(server);
  await host(server, owner.accountId, guest.accountId, ['network.read', 'network.write'], [cafe]);
  const as = { token: guest.token, account: owner.accountId };
  expect(await shown({}, as)).toMatchObject({ points: [{ gwid: cafe }], unplaced: { total: 0, list: [] } });
  expect((await call('place', { gwid: lobby, lat: 1, lng: 1 }, as)).code).toBe(4113);
});
