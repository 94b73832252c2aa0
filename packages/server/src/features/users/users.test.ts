import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertStationRows } from '../../telemetry/testing/stations.ts';
import { ago, gone, type List, other, phone, printer, random, startFixture, tablet } from './testing/fixture.ts';

type Fixture = Awaited<ReturnType<typeof startFixture>>;
let server: Fixture['server'];
let owner: Fixture['owner'];
let call: Fixture['call'];
let macs: Fixture['macs'];
let shop: string;
let depot: string;
let ap: Fixture['ap'];

beforeAll(async () => {
  ({ server, owner, call, macs, shop, depot, ap } = await startFixture());
});
afterAll(() => server.stop());

describe('online clients', () => {
  it('is in the last report of a device whose session is open, once, on the air before the cable', async () => {
    const { data } = await call<List>('list');
    expect(data.list.map(({ mac, serial, band }) => [mac, serial, band])).toEqual([
      [random, ap.lobby, 5],
      [tablet, ap.hall, 2],
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
    // account by the gateway, signal by the access point
    const reportOf = (serial: string, username: string | null, ip: string | null) =>
      systemPool.query(
        `insert into station_open (account_id, serial, mac, bssid, gwid, band, ip, username, authenticated, started_at, last_at)
         values ($1, $2, $3, '', $4, 0, $5, $6, true, $7, $7)`,
        [owner.accountId, serial, random, shop, ip, username, ago(1)],
      );
    await reportOf(ap.hall, '13800001111', '10.9.8.7');
    await reportOf(ap.away, 'bob', '10.6.6.6');
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
        serial: ap.lobby,
        band: 5,
        auth_type: 'portal',
        phone_masked: '138****1111',
        ip: '10.9.8.7',
      });
      expect((await call('detail', { mac: tablet })).data).toMatchObject({ auth_type: null });
      expect((await call('reveal', { mac: random })).data).toEqual({ account: '13800001111' });
    } finally {
      await systemPool.query('delete from station_open where account_id = $1 and band = 0 and authenticated', [
        owner.accountId,
      ]);
    }
  });

  it('is authenticated by the portal, which names the guest, as often as home counts it', async () => {
    const { systemPool } = server.db.database;
    const site = { gwid: shop, enabled: false, template_id: null, gateway: 'uam' };
    expect((await server.call('/api/v3/portal/site/save', site, owner)).code).toBe(2000);
    const session = (mac: string, verified: boolean, ended: Date | null) =>
      systemPool.query(
        `insert into portal_session (account_id, id, gwid, ticket, state, device_key, mac, identity, verified, method, template_id,
           template_version, locale, minutes, up_kbps, down_kbps, devices, times_per_day, made_at, ready_at, offer_until, granted_at, ended_at)
         values ($1, gen_random_uuid(), $2, gen_random_uuid()::text, $3, decode($4, 'hex'), $5, 'reception', $6, 'account',
           gen_random_uuid(), 1, 'en', 0, 0, 0, 1, 0, $7, $7, $7, $7, $8)`,
        [owner.accountId, shop, ended ? 'ended' : 'online', mac, mac.match(/../g)!.join(':'), verified, ago(2), ended],
      );
    await session(tablet, true, null);
    await session(printer, false, null);
    await session(random, true, ago(1));
    await systemPool.query("update station_open set username = 'qL3tb8Zx' where account_id = $1 and mac = $2", [
      owner.accountId,
      tablet,
    ]);
    const authenticated = [tablet, printer, phone].toSorted();
    try {
      const { data } = await server.call<{ current_auth: number }>('/api/v3/user_stat/complex', {}, owner);
      expect(data.current_auth).toBe(authenticated.length);
      expect((await macs({ auth: 'portal' })).toSorted()).toEqual(authenticated);
      expect((await macs({ auth: 'none' })).toSorted()).toEqual([random, other].toSorted());
      const detail = async (mac: string) => (await call('detail', { mac })).data;
      expect(await detail(tablet)).toMatchObject({ auth_type: 'portal', account: 'reception' });
      expect(await detail(printer)).toMatchObject({ auth_type: 'portal', account: null });
      expect(await detail(random)).toMatchObject({ auth_type: null, account: null });
    } finally {
      await systemPool.query('delete from portal_session where account_id = $1', [owner.accountId]);
      await systemPool.query('update station_open set username = null where account_id = $1 and mac = $2', [
        owner.accountId,
        tablet,
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

  it('is sorted by what it carried where it is shown, however much more its other places did', async () => {
    const first = async (order: 'asc' | 'desc') =>
      (await call<List>('list', { sort: 'flow', order, limit: 1 })).data.list.map(({ mac }) => mac);
    const before = { most: await first('desc'), least: await first('asc') };
    const { systemPool } = server.db.database;
    await systemPool.query(
      `insert into station_open (account_id, serial, mac, bssid, gwid, band, started_at, last_at, down)
       select $1, $2, $3, 'port ' || n, $4, 0, $5, $5, 1000000000 + n from generate_series(1, 9) n`,
      [owner.accountId, ap.hall, random, shop, ago(1)],
    );
    try {
      expect({ most: await first('desc'), least: await first('asc') }).toEqual(before);
    } finally {
      await systemPool.query("delete from station_open where account_id = $1 and bssid like 'port %'", [
        owner.accountId,
      ]);
    }
  });

  it('was there today, or ever, with the flow of the day over all networks', async () => {
    expect(await macs({ tab: 'today' })).toHaveLength(6);
    expect(await macs({ tab: 'today', keyword: '192.168.1.20' })).toEqual([phone]);
    expect(await macs({ tab: 'history', keyword: '192.168.1.20' })).toEqual([phone]);
    expect(await macs({ tab: 'today', auth: 'portal' })).toEqual([phone]);
    const { data } = await call<{ list: (List['list'][number] & { flow_today: number })[] }>('list', {
      tab: 'today',
      sort: 'flow',
      order: 'desc',
    });
    expect(data.list[0]).toMatchObject({ mac: phone, flow_today: 6500 });
    expect(await macs({ tab: 'history', gwid: depot })).toEqual(expect.arrayContaining([phone, other]));
    const [lost] = (await call<List>('list', { tab: 'history', keyword: gone })).data.list;
    expect(lost).toMatchObject({ mac: gone, online: false, serial: ap.away });
  });

  it('is found by the address that it had when it left, today or as long as stays are kept', async () => {
    const { systemPool } = server.db.database;
    const left = (mac: string, gwid: string, ip: string | null, ended: Date) =>
      systemPool.query(
        `insert into station_session (account_id, mac, ended_at, serial, bssid, started_at, gwid, band, ip, ip6,
           authenticated, down, up, rssi_sum, rssi_n, end_reason)
         values ($1, $2, $3, $4, '', $3, $5, 5, $6, $7, false, 0, 0, 0, 0, 'leave')`,
        [owner.accountId, mac, ended, ap.lobby, gwid, ...(ip?.includes(':') ? [null, ip] : [ip, null])],
      );
    await left(tablet, shop, '172.16.1.36', ago(0));
    await left(printer, shop, '172.16.1.3', ago(2000));
    await left(other, depot, '172.16.1.39', ago(0));
    await left(random, depot, 'fd00::a:36', ago(0));
    const found = async (tab: string, keyword: string, more: object = {}) =>
      (await macs({ tab, keyword, ...more })).toSorted();
    try {
      expect(await found('today', '172.16.1.36')).toEqual([tablet]);
      expect(await found('today', '172.16.1.3')).toEqual([tablet, other].toSorted());
      expect(await found('today', '172.16.1.3', { gwid: shop })).toEqual([tablet]);
      expect(await found('history', '172.16.')).toEqual([tablet, printer, other].toSorted());
      expect(await found('history', 'FD00::A')).toEqual([random]);
      // matched by the current address
      expect(await found('online', '172.16.')).toEqual([]);
      expect(await found('history', '172.16.2')).toEqual([]);
    } finally {
      await systemPool.query("delete from station_session where account_id = $1 and bssid = ''", [owner.accountId]);
    }
  });

  it('is listed by host name, those without one last, whichever way and page by page', async () => {
    for (const order of ['asc', 'desc'] as const) {
      const page = async (limit: number, number: number) =>
        (await call<List>('list', { tab: 'history', sort: 'hostname', order, limit, page: number })).data;
      const { list: all, total } = await page(50, 1);
      const names = all.map(({ hostname }) => hostname);
      const named = names.filter((name) => name !== null);
      expect({ order, names }).toEqual({
        order,
        names: [
          ...(order === 'asc' ? named.toSorted() : named.toSorted().toReversed()),
          ...Array(total - named.length).fill(null),
        ],
      });
      expect([named.length > 0, named.length < total]).toEqual([true, true]);
      const paged = [];
      for (let number = 1; (number - 1) * 2 < total; number += 1) paged.push(...(await page(2, number)).list);
      expect(paged.map(({ mac }) => mac)).toEqual(all.map(({ mac }) => mac));
    }
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
  it('shows its clients, and blocks none', async () => {
    const guest = await server.register();
    await server.db.database.systemPool.query(
      `insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, 'operator', $4)`,
      [owner.accountId, guest.userId, guest.accountId, [depot]],
    );
    const as = { token: guest.token, account: owner.accountId };
    expect(await macs({}, as)).toEqual([other]);
    expect((await macs({ tab: 'history' }, as)).toSorted()).toEqual([phone, other].toSorted());
    // visible for the depot only
    const { data } = await call<List['list'][number] & { flow_today: number; quarters: unknown[] }>(
      'detail',
      { mac: phone },
      as,
    );
    expect(data).toMatchObject({ serial: null, flow_today: 1000, quarters: [] });
    expect(await call('detail', { mac: tablet }, as)).toMatchObject({ code: 4113 });
    for (const [path, body] of [
      ['block', { macs: [other] }],
      ['update', { mac: other, vip: true }],
    ] as const) {
      expect(await call(path, body, as)).toMatchObject({
        code: 4101,
        data: { permission: 'user.write', reason: 'networks' },
      });
    }
  });

  it('shows when a client was seen in it, not elsewhere, and lists in that order', async () => {
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
    const sessions = await call<{
      open: { band: number }[];
      list: { end_reason: string; rssi_mean: number }[];
      total: number;
    }>('history', { mac: phone, page: 1, limit: 3 });
    // a wired port is no session
    expect(sessions.data.open.map(({ band }) => band)).toEqual([5]);
    expect(sessions.data).toMatchObject({
      total: 10,
      list: [{ end_reason: 'roam', rssi_mean: -70, rssi_min: -82 }, {}, {}],
    });
  });

  it('shows a stay at an access point that went away as ended with its last word, one on a cable as it is', async () => {
    const sessionsOf = async (mac: string) =>
      (await call<{ open: { ended_at: string | null }[] }>('history', { mac, page: 1, limit: 3 })).data.open;
    expect(await sessionsOf(gone)).toMatchObject([{ ended_at: ago(1).toISOString(), end_reason: 'lost' }]);
    expect(await sessionsOf(printer)).toMatchObject([{ band: 0, ended_at: null, end_reason: null }]);
  });
});

it('shows the wireless link of the last report, and why there is none', async () => {
  const { systemPool } = server.db.database;
  const state = {
    radios: [{ band: ['5G'], channel: 44, channel_width: 40, noise: -90 }],
    interfaces: [
      {
        name: 'up0v0',
        ssids: [
          {
            radio: { $ref: '#/radios/0' },
            associations: [{ station: phone, rssi: -60, tx_rate: { bitrate: 400_000, vht: true } }],
          },
        ],
      },
    ],
  };
  await systemPool.query(
    `insert into device_latest (account_id, serial, at, state) values ($1, $2, now(), $3)
     on conflict (account_id, serial) do update set state = excluded.state`,
    [owner.accountId, ap.lobby, deflateSync(JSON.stringify({ state }))],
  );
  const link = {
    generation: 5,
    down_kbps: 400_000,
    up_kbps: null,
    snr_db: 30,
    retry_pct: null,
    channel: 44,
    width: 40,
  };
  expect((await call('detail', { mac: phone })).data).toMatchObject({ link, link_missing: null });
  expect((await call('detail', { mac: printer })).data).toMatchObject({ link: null, link_missing: 'wired' });
  expect((await call('detail', { mac: gone })).data).toMatchObject({ link: null, link_missing: 'offline' });
  expect((await call('detail', { mac: tablet })).data).toMatchObject({ link: null, link_missing: 'unreported' });
});
