import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { makeTelemetry, type Telemetry } from '../../../test/world-statistics.ts';
import { dayOf } from '../../platform/calendar.ts';
import { ManualClock } from '../../platform/clock.ts';
import { insertStationRows } from '../../telemetry/testing/stations.ts';

const clock = new ManualClock(new Date());
const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000);
const today = dayOf(clock.now(), 'Asia/Shanghai');

let server: TestServer;
let owner: Registered;
let telemetry: Telemetry;
let shop: string;
let depot: string;
const ap = { lobby: '', hall: '', away: '', depot: '' };

const phone = '3c22fb000001';
const tablet = '3c22fb0000a2';
const random = '0a1111110003';
const printer = '3c22fb0000b4';
const gone = '3c22fb0000c5';
const other = '3c22fb0000d6';

interface User {
  mac: string;
  online: boolean;
  serial: string | null;
  band: number | null;
  remark: string;
  vip: boolean;
  list: string | null;
  random_mac: boolean;
}
interface List {
  list: User[];
  total: number;
}

const call = <T>(path: string, body: object = {}, as: object = owner) =>
  server.call<T>(`/api/v3/user_online/${path}`, body, as);
const macs = async (body: object, as: object = owner) => {
  const { data } = await call<List>('list', { limit: 50, ...body }, as);
  expect(data.total).toBe(data.list.length);
  return data.list.map(({ mac }) => mac);
};
const lastLogged = async () =>
  (
    await server.call<{ list: { action: string; object: { id: string }; after: unknown }[] }>(
      '/api/v3/log/action/list',
      { page: 1, limit: 10 },
      owner,
    )
  ).data.list[0];

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  telemetry = await makeTelemetry(server, owner, clock);
  shop = await telemetry.network('Shop');
  depot = await telemetry.network('Depot');
  ap.lobby = await telemetry.device(shop, { kind: 'ap', online: true });
  ap.hall = await telemetry.device(shop, { kind: 'ap', online: true });
  ap.away = await telemetry.device(shop, { kind: 'ap', online: false });
  ap.depot = await telemetry.device(depot, { kind: 'ap', online: true });
  const { database } = server.db;
  const account_id = owner.accountId;
  const seen = (mac: string, more: object = {}) => ({
    ...{ account_id, mac, first_seen: ago(900), last_seen: ago(1), random_mac: mac === random },
    ...{ hostname: null, terminal_type: null, type_source: null, brand: null, os: null },
    ...more,
  });
  await insertStationRows(database, 'station', [
    seen(phone, { hostname: 'Annas-iPhone', terminal_type: 'ios', type_source: 'hostname', brand: 'Apple' }),
    seen(tablet, { hostname: '=HYPERLINK("x")', terminal_type: 'android', type_source: 'fingerprint' }),
    seen(random),
    seen(printer, { hostname: 'printer' }),
    seen(gone, { last_seen: ago(300) }),
    seen(other, { hostname: 'forklift' }),
  ]);
  const open = (serial: string, mac: string, band: number, more: object = {}) => ({
    ...{ account_id, serial, mac, bssid: band === 0 ? '' : `${serial.slice(0, 11)}${band}`, gwid: shop, band },
    ...{ ssid: band === 0 ? null : 'Guests', port: null, ip: null, username: null, authenticated: false },
    ...{ started_at: ago(30), last_at: ago(1), down: 0, up: 0, rssi: null, rssi_sum: 0, rssi_n: 0 },
    ...more,
  });
  await insertStationRows(database, 'station_open', [
    open(ap.lobby, phone, 5, {
      ...{ ip: '192.168.1.20', rssi: -78, down: 300 * 2 ** 20, up: 7, username: '13912345678', authenticated: true },
    }),
    // the gateway behind sees the same terminal on its cable
    open(ap.hall, phone, 0, { started_at: ago(1) }),
    open(ap.hall, tablet, 2, { ssid: 'Staff', rssi: -51, started_at: ago(10) }),
    open(ap.lobby, random, 5, { rssi: -66, started_at: ago(5) }),
    open(ap.hall, printer, 0, { port: 'LAN1', ip: '192.168.1.9' }),
    // its access point went away: nobody knows whether it is there
    open(ap.away, gone, 5),
    open(ap.depot, other, 5, { gwid: depot, rssi: -40 }),
  ]);
  const visit = (mac: string, gwid: string, more: object = {}) => ({
    ...{
      account_id,
      day: today,
      gwid,
      mac,
      first_at: ago(30),
      last_at: ago(1),
      seconds: 60,
      hours: 1,
      down: 100,
      up: 10,
    },
    ...{ sessions: 1, is_new: false, authenticated: false, wireless: true },
    ...more,
  });
  await insertStationRows(database, 'station_day', [
    visit(phone, shop, { down: 5000, up: 500, authenticated: true }),
    visit(phone, depot, { down: 1000, up: 0 }),
    ...[tablet, random, printer, gone].map((mac) => visit(mac, shop)),
    visit(other, depot),
  ]);
  const stay = (serial: string, ended: number, end_reason: string) => ({
    ...{ account_id, mac: phone, serial, bssid: `${serial.slice(0, 11)}5`, gwid: shop, ssid: 'Guests', band: 5 },
    ...{ started_at: ago(ended + 20), ended_at: ago(ended), ip: null, username: null, authenticated: false },
    ...{ down: 1000, up: 10, rssi: -70, rssi_min: -82, rssi_sum: -210, rssi_n: 3, end_reason },
  });
  await insertStationRows(database, 'station_session', [
    ...Array.from({ length: 9 }, (_, index) => stay(index % 2 ? ap.hall : ap.lobby, 40 + index * 30, 'roam')),
    stay(ap.hall, 2000, 'leave'),
  ]);
  const quarter = (at: Date) => new Date(Math.floor(at.getTime() / 900_000) * 900_000);
  await insertStationRows(database, 'station_quarter', [
    {
      account_id,
      mac: phone,
      bucket: quarter(ago(30)),
      serial: ap.lobby,
      gwid: shop,
      down: 5,
      up: 1,
      rssi_sum: -156,
      rssi_n: 2,
    },
    {
      account_id,
      mac: phone,
      bucket: quarter(ago(30)),
      serial: ap.hall,
      gwid: shop,
      down: 2,
      up: 0,
      rssi_sum: -60,
      rssi_n: 1,
    },
  ]);
  await telemetry.reports(
    { serial: ap.lobby, gwid: shop, at: ago(10), util_5g: 80, noise_5g: -90, clients_5g: 2, clients: 2 },
    { serial: ap.lobby, gwid: shop, at: ago(4), util_5g: 90, noise_5g: -90, clients_5g: 2, clients: 2 },
    { serial: ap.hall, gwid: shop, at: ago(4), util_5g: 20, noise_5g: -95, clients_5g: 0, clients: 0 },
  );
});
afterAll(() => server.stop());

describe('who is online', () => {
  it('is in the last report of a device whose session is open, once, on the air before the cable', async () => {
    const { data } = await call<List>('list');
    expect(data.list.map(({ mac, serial, band }) => [mac, serial, band])).toEqual([
      [random, ap.lobby, 5],
      [tablet, ap.hall, 2],
      // of one moment: the highest MAC first
      [other, ap.depot, 5],
      [printer, ap.hall, 0],
      [phone, ap.lobby, 5],
    ]);
    expect(data.total).toBe(5);
    const complex = await server.call<{ current_online: number }>('/api/v3/user_stat/complex', {}, owner);
    expect(complex.data.current_online).toBe(data.total);
  });

  it.each([
    ['network', () => ({ gwid: depot }), [other]],
    ['access point', () => ({ serial: ap.hall }), [tablet, printer]],
    ['SSID', () => ({ ssid: 'Staff' }), [tablet]],
    ['band', () => ({ band: '5' }), [random, other, phone]],
    ['cable', () => ({ band: '0' }), [printer]],
    ['a weak signal', () => ({ rssi_below: '-75' }), [phone]],
    ['traffic', () => ({ flow_above: '100' }), [phone]],
    ['type', () => ({ terminal: 'ios' }), [phone]],
    ['unknown type', () => ({ terminal: 'unknown' }), [random, other, printer]],
    ['authentication', () => ({ auth: 'portal' }), [phone]],
    ['random MAC', () => ({ random: 'true' }), [random]],
    ['half of a MAC as it is written', () => ({ keyword: '00:00:A2' }), [tablet]],
    ['host name', () => ({ keyword: 'iphone' }), [phone]],
    ['address', () => ({ keyword: '192.168.1.' }), [printer, phone]],
    ['a wildcard, which is a character like others', () => ({ keyword: '%' }), []],
  ])('is found by %s', async (_name, filter, expected) => {
    expect((await macs(filter())).toSorted()).toEqual(expected.toSorted());
  });

  it('is authenticated where any of its devices says so, and found by it, as often as it is counted', async () => {
    const { systemPool } = server.db.database;
    // the gateway has the portal and knows the address, the access point has the signal
    const told = (serial: string, username: string | null, ip: string | null) =>
      systemPool.query(
        `insert into station_open (account_id, serial, mac, bssid, gwid, band, ip, username, authenticated, started_at, last_at)
         values ($1, $2, $3, '', $4, 0, $5, $6, true, $7, $7)`,
        [owner.accountId, serial, random, shop, ip, username, ago(1)],
      );
    await told(ap.hall, '13800001111', '10.9.8.7');
    // what a device said that is away now does not hold
    await told(ap.away, 'bob', '10.6.6.6');
    await systemPool.query(
      "insert into station_open (account_id, serial, mac, bssid, gwid, band, authenticated, started_at, last_at) values ($1, $2, $3, '', $4, 0, true, $5, $5)",
      [owner.accountId, ap.away, tablet, shop, ago(1)],
    );
    try {
      const { data } = await server.call<{ current_auth: number }>('/api/v3/user_stat/complex', {}, owner);
      expect(data.current_auth).toBe(2);
      const authenticated = [random, phone].toSorted();
      expect((await macs({ auth: 'portal' })).toSorted()).toEqual(authenticated);
      expect((await macs({ auth: 'portal', sort: 'mac' })).toSorted()).toEqual(authenticated);
      expect((await macs({ auth: 'portal', gwid: shop })).toSorted()).toEqual(authenticated);
      expect((await macs({ auth: 'none' })).toSorted()).toEqual([tablet, other, printer].toSorted());
      expect(await macs({ keyword: '10.9.8.' })).toEqual([random]);
      expect(await macs({ keyword: '10.6.6.' })).toEqual([]);
      expect((await call('detail', { mac: random })).data).toMatchObject({
        ...{ serial: ap.lobby, band: 5, auth_type: 'portal', phone_masked: '138****1111', ip: '10.9.8.7' },
      });
      expect((await call('detail', { mac: tablet })).data).toMatchObject({ auth_type: null });
      expect((await call('reveal', { mac: random })).data).toEqual({ account: '13800001111' });
    } finally {
      await systemPool.query('delete from station_open where account_id = $1 and band = 0 and authenticated', [
        owner.accountId,
      ]);
    }
  });

  it('is sorted by signal, those without one last, and paged', async () => {
    const { data } = await call<List>('list', { sort: 'rssi', order: 'asc', limit: 10 });
    expect(data.list.map(({ mac }) => mac)).toEqual([phone, random, tablet, other, printer]);
    const second = await call<List>('list', { sort: 'rssi', order: 'desc', limit: 2, page: 2 });
    expect(second.data.list.map(({ mac }) => mac)).toEqual([random, phone]);
    expect(second.data.total).toBe(5);
  });

  it('was there today, or ever, with the flow of the day over all networks', async () => {
    expect(await macs({ tab: 'today' })).toHaveLength(6);
    // by the address that the row shows
    expect(await macs({ tab: 'today', keyword: '192.168.1.20' })).toEqual([phone]);
    expect(await macs({ tab: 'history', keyword: '192.168.1.20' })).toEqual([phone]);
    expect(await macs({ tab: 'today', auth: 'portal' })).toEqual([phone]);
    const { data } = await call<{ list: (User & { flow_today: number })[] }>('list', {
      tab: 'today',
      sort: 'flow',
      order: 'desc',
    });
    expect(data.list[0]).toMatchObject({ mac: phone, flow_today: 6500 });
    expect(await macs({ tab: 'history', gwid: depot })).toEqual(expect.arrayContaining([phone, other]));
    const [lost] = (await call<List>('list', { tab: 'history', keyword: gone })).data.list;
    expect(lost).toMatchObject({ mac: gone, online: false, serial: ap.away });
  });

  it('was seen in 30 days, first within them or before: as many as the home page counts', async () => {
    const old = '3c22fb0000e7';
    const back = '3c22fb0000f8';
    const days = (n: number) => ago(n * 1440);
    const known = { account_id: owner.accountId, random_mac: false, hostname: null, type_source: null, os: null };
    await insertStationRows(server.db.database, 'station', [
      { ...known, mac: old, first_seen: days(90), last_seen: days(40), terminal_type: 'android', brand: null },
      { ...known, mac: back, first_seen: days(60), last_seen: days(2), terminal_type: 'android', brand: null },
    ]);
    expect(await macs({ tab: 'history', known: 'old' })).toEqual([back, old]);
    expect(await macs({ tab: 'history', known: 'old', seen: '30' })).toEqual([back]);
    expect(await macs({ tab: 'history', known: 'new', keyword: tablet })).toEqual([tablet]);
    const model = async (day: 30 | 'history') =>
      (
        await server.call<{ user_label: { value: number }[]; terminal_type: { name: string; value: number }[] }>(
          '/api/v3/user_stat/user_model',
          { day },
          owner,
        )
      ).data;
    const listed = async (more: object) => (await macs({ tab: 'history', ...more })).length;
    const month = { seen: '30' };
    for (const [day, more] of [
      [30, month],
      ['history', {}],
    ] as const) {
      const { user_label, terminal_type } = await model(day);
      expect(user_label.map(({ value }) => value)).toEqual([
        await listed({ ...more, known: 'new' }),
        await listed({ ...more, known: 'old' }),
      ]);
      expect(terminal_type.find(({ name }) => name === 'android')?.value).toBe(
        await listed({ ...more, terminal: 'android' }),
      );
    }
    await server.db.database.systemPool.query('delete from station where account_id = $1 and mac = any($2)', [
      owner.accountId,
      [old, back],
    ]);
  });

  it('is on a wireless network whose name the filter offers, in the networks that one may see', async () => {
    const ssids = async (body: object = {}) => (await call<{ list: string[] }>('ssids', body)).data.list;
    expect(await ssids()).toEqual(['Guests', 'Staff']);
    expect(await ssids({ gwid: depot })).toEqual(['Guests']);
  });
});

describe('a right for one network', () => {
  it('shows who was in it, and blocks nobody', async () => {
    const guest = await server.register();
    await server.db.database.systemPool.query(
      `insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, 'operator', $4)`,
      [owner.accountId, guest.userId, guest.accountId, [depot]],
    );
    const as = { token: guest.token, account: owner.accountId };
    expect(await macs({}, as)).toEqual([other]);
    expect((await macs({ tab: 'history' }, as)).toSorted()).toEqual([phone, other].toSorted());
    // it was in the depot today, and what it did elsewhere is not for these eyes
    const { data } = await call<User & { flow_today: number; quarters: unknown[] }>('detail', { mac: phone }, as);
    expect(data).toMatchObject({ serial: null, flow_today: 1000, quarters: [] });
    expect(await call('detail', { mac: tablet }, as)).toMatchObject({ code: 4113 });
    // a remark or a VIP mark holds in all networks, as the lists do
    for (const [path, body] of [
      ['block', { macs: [other] }],
      ['update', { mac: other, vip: true }],
    ] as const) {
      expect(await call(path, body, as)).toMatchObject({
        ...{ code: 4101, data: { permission: 'user.write', reason: 'networks' } },
      });
    }
  });

  it('tells when somebody was seen in it, not elsewhere, and lists in that order', async () => {
    const guest = await server.register();
    const { systemPool } = server.db.database;
    await systemPool.query(
      `insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, 'operator', $4)`,
      [owner.accountId, guest.userId, guest.accountId, [depot]],
    );
    const as = { token: guest.token, account: owner.accountId };
    const seen = (mac: string, first: number, last: number) =>
      systemPool.query(
        'update station_day set first_at = $3, last_at = $4 where account_id = $1 and gwid = $5 and mac = $2',
        [owner.accountId, mac, ago(first), ago(last), depot],
      );
    await seen(phone, 200, 100);
    await seen(other, 400, 300);
    const times = { first_seen: ago(200).toISOString(), last_seen: ago(100).toISOString() };
    expect((await call('detail', { mac: phone }, as)).data).toMatchObject(times);
    expect((await call('detail', { mac: phone })).data).toMatchObject({ last_seen: ago(1).toISOString() });
    for (const filter of [{}, { gwid: depot }]) {
      const { data } = await call<List>('list', { tab: 'history', ...filter }, as);
      expect(data).toMatchObject({ total: 2, list: [{ mac: phone, ...times }, { mac: other }] });
    }
    const reversed = await call<List>('list', { tab: 'history', sort: 'last_seen', order: 'asc' }, as);
    expect(reversed.data.list.map(({ mac }) => mac)).toEqual([other, phone]);
  });
});

describe('a complaint', () => {
  it('leads from half a MAC to signal, access point, its air, roams, and its neighbours', async () => {
    const [found] = await macs({ keyword: '0001' });
    const { data } = await call<{
      rssi: number;
      roams: number;
      device: string;
      network: string;
      access_points: { serial: string; own: boolean; util_pct: number | null; clients: number | null }[];
      quarters: { down: number; rssi: number }[];
    }>('detail', { mac: found });
    expect(data).toMatchObject({ rssi: -78, roams: 9, device: ap.lobby, network: 'Shop' });
    expect(data.access_points).toMatchObject([
      { serial: ap.lobby, own: true, util_pct: 85, noise_dbm: -90 },
      { serial: ap.hall, own: false, util_pct: 20 },
      { serial: ap.away, own: false, util_pct: null },
    ]);
    expect(data.quarters).toMatchObject([{ down: 7, up: 1, rssi: -72 }]);
    const stays = await call<{
      open: { band: number }[];
      list: { end_reason: string; rssi_mean: number }[];
      total: number;
    }>('history', { mac: phone, page: 1, limit: 3 });
    // the cable of the gateway behind is no stay of its own
    expect(stays.data.open.map(({ band }) => band)).toEqual([5]);
    expect(stays.data).toMatchObject({
      total: 10,
      list: [{ end_reason: 'roam', rssi_mean: -70, rssi_min: -82 }, {}, {}],
    });
  });

  it('shows a stay at an access point that went away as ended with its last word, one on a cable as it is', async () => {
    const staysOf = async (mac: string) =>
      (await call<{ open: { ended_at: string | null }[] }>('history', { mac, page: 1, limit: 3 })).data.open;
    expect(await staysOf(gone)).toMatchObject([{ ended_at: ago(1).toISOString(), end_reason: 'lost' }]);
    expect(await staysOf(printer)).toMatchObject([{ band: 0, ended_at: null, end_reason: null }]);
  });
});

describe('what the operator says', () => {
  it('is found by, logged, undone', async () => {
    expect((await call('update', { mac: phone, remark: 'Front-desk', vip: true })).data).toMatchObject({
      ...{ remark: 'Front-desk', vip: true },
    });
    expect(await macs({ keyword: 'front' })).toEqual([phone]);
    expect(await macs({ vip: 'true' })).toEqual([phone]);
    const logged = await server.call<{ list: { seq: number; action: string }[] }>('/api/v3/log/action/list', {}, owner);
    expect(logged.data.list[0]).toMatchObject({ action: 'user.update' });
    const undone = await server.call('/api/v3/log/action/undo', { seq: logged.data.list[0]!.seq }, owner);
    expect(undone.code).toBe(2000);
    expect(await macs({ vip: 'true' })).toEqual([]);
    expect((await call('update', { mac: phone, remark: 'a <b>' })).code).toBe(422);
  });

  it('masks a phone number until somebody asks, which is logged', async () => {
    const { data } = await call<{ phone_masked: string; account: string | null }>('detail', { mac: phone });
    expect(data).toMatchObject({ phone_masked: '139****5678', account: null });
    expect((await call('reveal', { mac: phone })).data).toEqual({ account: '13912345678' });
    const logged = await lastLogged();
    expect(logged).toMatchObject({ action: 'user.reveal', object: { id: phone } });
    expect(JSON.stringify(logged)).not.toContain('13912345678');
  });

  it('goes into a file with masked numbers and escaped formulas, as the list is filtered, and into the log', async () => {
    const fetched = async (body: object) => {
      const { data } = await call<{ url: string }>('export', { format: 'csv', ...body });
      return (await fetch(server.url + data.url)).text();
    };
    const file = await fetched({ tab: 'online', gwid: shop });
    const lines = file.trim().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(file).toContain('139****5678');
    expect(file).not.toContain('13912345678');
    expect(file).toContain(`"'=HYPERLINK(""x"")"`);
    expect(file).not.toContain('forklift');
    expect(await lastLogged()).toMatchObject({ action: 'user.export', after: { format: 'csv', gwid: shop } });
    expect((await fetched({ mac: phone })).trim().split('\r\n')).toHaveLength(12);
  });

  it('goes into a file in the order of the list, who has no value last both ways', async () => {
    for (const sort of ['login_at', 'rssi', 'hostname', 'mac'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        const { data } = await call<{ url: string }>('export', { format: 'json', sort, order });
        const file = (await (await fetch(server.url + data.url)).json()) as { rows: Record<string, unknown>[] };
        expect(file.rows.map((row) => row.mac)).toEqual(await macs({ sort, order }));
        const values = file.rows.map((row) => row[sort]);
        expect(values.lastIndexOf(values.findLast((value) => value !== null))).toBe(
          values.filter((value) => value !== null).length - 1,
        );
      }
    }
    const { data } = await call<{ url: string }>('export', { format: 'json' });
    const file = (await (await fetch(server.url + data.url)).json()) as { rows: { mac: string }[] };
    expect(file.rows.map((row) => row.mac)).toEqual(await macs({}));
  });
});

describe('lists', () => {
  it('hold what is blocked and allowed, also what was never seen; who is allowed is not blocked by the way', async () => {
    const never = 'aabbccddeeff';
    expect((await call('allow', { macs: [printer] })).data).toMatchObject({ changed: [printer], job_id: null });
    const blocked = await call<{ changed: string[]; skipped: string[]; job_id: string | null }>('block', {
      macs: [never, tablet, printer],
    });
    // no network has wireless settings here: nothing is pushed anywhere, and the screen can say so
    expect(blocked.data).toMatchObject({ changed: [never, tablet], skipped: [printer], job_id: null });
    expect((await macs({ tab: 'blocked' })).toSorted()).toEqual([tablet, never].toSorted());
    expect(await macs({ tab: 'blocked', keyword: 'aa:bb' })).toEqual([never]);
    expect(await macs({ tab: 'allowed' })).toEqual([printer]);
    expect((await call('applied')).data).toEqual({ blocked: 2, managed: 0, in_force: 0, unmanaged: 4 });
    await call('unblock', { macs: [never, tablet, printer] });
    expect(await macs({ tab: 'blocked' })).toEqual([]);
  });

  it('have an end', async () => {
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => (0xb00000000000 + from + index).toString(16));
    expect((await call('block', { macs: many(0, 200) })).code).toBe(2000);
    expect(await call('block', { macs: many(200, 1) })).toMatchObject({ code: 4106, data: { limit: 200, used: 200 } });
    await call('unblock', { macs: many(0, 200) });
  });
});
