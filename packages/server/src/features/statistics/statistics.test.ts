import type { statistics as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { host } from '../../../test/world.ts';
import { makeSomebody } from '../../../test/world-account.ts';
import { makeTelemetry, type Telemetry } from '../../../test/world-statistics.ts';
import { newId } from '../../platform/database/index.ts';
import { post } from '../billing/service.ts';

type Complex = DataOf<typeof contract.complex>;
type ApComplex = DataOf<typeof contract.apComplex>;
type FlowModel = DataOf<typeof contract.flowModel>;
type UserModel = DataOf<typeof contract.userModel>;

const now = new Date('2026-11-21T04:30:00Z');
const clock = { now: () => now };
const at = (day: string, time: string) => new Date(`2026-${day}T${time}:00+08:00`);

let server: TestServer;
let owner: Registered;
let telemetry: Telemetry;
let lobby: string;
let cafe: string;
let devices: Record<'a1' | 'a2' | 's1' | 'g1' | 'c1', string>;
let guest: As;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  telemetry = await makeTelemetry(server, owner, clock);
  [lobby, cafe] = [await telemetry.network('Lobby'), await telemetry.network('Cafe')];
  await telemetry.network('Empty');
  devices = {
    a1: await telemetry.device(lobby, { kind: 'ap', online: true, terminals: 2 }),
    a2: await telemetry.device(lobby, { kind: 'ap', online: false, terminals: 7 }),
    s1: await telemetry.device(lobby, { kind: 'switch', online: true }),
    g1: await telemetry.device(cafe, { kind: 'ap', online: true, gateway: true, terminals: 2 }),
    c1: await telemetry.device(cafe, { kind: 'ap', online: true }),
  };
  await writeReports();
  await writeUsers();
  const somebody = await makeSomebody(server);
  await host(server, owner.accountId, somebody.accountId, ['statistics.read'], [cafe]);
  guest = { token: somebody.token, account: owner.accountId };
});
afterAll(() => server.stop());

async function writeReports(): Promise<void> {
  const { a1, s1, g1, c1 } = devices;
  const inLobby = (serial: string, time: Date) => ({ serial, gwid: lobby, at: time });
  const inCafe = (serial: string, time: Date) => ({ serial, gwid: cafe, at: time });
  await telemetry.reports(
    { ...inLobby(a1, at('10-12', '10:00')), wan_down: 1000, wan_up: 100 },
    { ...inLobby(a1, at('11-18', '23:30')), wan_down: 2000, wan_up: 200, down_2g: 300, up_2g: 30 },
    { ...inLobby(a1, at('11-20', '05:59')), wan_down: 4000, wan_up: 400 },
    // traffic of the switch has passed an access point
    { ...inLobby(s1, at('11-20', '05:59')), wan_down: 9999, wan_up: 9999 },
    { ...inCafe(g1, at('11-20', '05:58')), wan_down: 8000, wan_up: 800 },
    // traffic behind the gateway passes the gateway
    { ...inCafe(c1, at('11-20', '05:58')), wan_down: 7000, wan_up: 700, down_5g: 600, up_5g: 60 },
    { ...inLobby(a1, at('11-21', '00:00')), wan_down: 16_000, wan_up: 0, down_5g: 100, up_5g: 10 },
    {
      ...inCafe(g1, at('11-21', '12:29')),
      wan_down: 32_000,
      wan_up: 3200,
      down_6g: 40,
      up_6g: 4,
      down_2g: 20,
      up_2g: 2,
    },
  );
}

const mac = (n: number) => `00005e00530${n}`;

async function writeUsers(): Promise<void> {
  const { a1, a2, g1, c1 } = devices;
  const [today, yesterday] = ['2026-11-21', '2026-11-20'];
  const seen = (first: Date, last = now) => ({ firstSeen: first, lastSeen: last });
  await telemetry.user(mac(1), { ...seen(at('11-18', '23:30')), type: 'ios', brand: 'Apple' });
  await telemetry.user(mac(2), { ...seen(at('11-21', '09:00')), type: 'android', brand: 'Xiaomi' });
  await telemetry.user(mac(3), { ...seen(at('10-12', '10:00')), type: 'android', brand: 'Huawei' });
  await telemetry.user(mac(4), { ...seen(at('11-20', '05:00')), type: 'windows' });
  await telemetry.user(mac(5), { ...seen(at('10-12', '10:00'), at('11-21', '08:00')), randomMac: true });
  await telemetry.user(mac(6), { ...seen(at('11-21', '10:00'), at('11-21', '10:01')), type: 'mac', brand: 'Apple' });
  // known, but not seen in the last 30 days
  await telemetry.user(mac(7), { ...seen(at('10-12', '10:00'), at('10-12', '11:00')), type: 'ios', brand: 'Apple' });

  await telemetry.present(mac(1), { serial: a1, gwid: lobby, band: 5, authenticated: true });
  await telemetry.present(mac(2), { serial: a1, gwid: lobby, band: 2 });
  // the gateway also sees this client on its cable
  await telemetry.present(mac(3), { serial: c1, gwid: cafe, band: 5 });
  await telemetry.present(mac(3), { serial: g1, gwid: cafe, band: 0 });
  await telemetry.present(mac(4), { serial: g1, gwid: cafe, band: 6 });
  // present when the access point went offline
  await telemetry.present(mac(5), { serial: a2, gwid: lobby, band: 2 });

  const visit = (n: number, day: string, gwid: string, seconds: number, hours: number[], more = {}) =>
    telemetry.visited(mac(n), { day, gwid, seconds, hours, ...more });
  await visit(1, today, lobby, 1799, [11, 12], { authenticated: true });
  await visit(2, today, lobby, 1800, [9], { isNew: true });
  await visit(3, today, cafe, 3600, [12]);
  await visit(4, today, cafe, 7200, [10, 11, 12]);
  await visit(5, today, lobby, 14_400, [4, 5, 6, 7, 8]);
  await visit(6, today, lobby, 60, [10], { isNew: true, authenticated: true });
  await visit(1, yesterday, lobby, 600, [20]);
  await visit(4, yesterday, cafe, 600, [5], { isNew: true });
  await visit(1, '2026-11-18', lobby, 600, [23], { isNew: true });
  for (const [n, gwid] of [
    [3, cafe],
    [5, lobby],
    [7, cafe],
  ] as const) {
    await visit(n, '2026-10-12', gwid, 600, [10], { isNew: true });
  }
}

const ask = async <T>(path: string, input: unknown = {}, as: As = owner): Promise<T> => {
  const answer = await server.call<T>(`/api/v3/user_stat/${path}`, input, as);
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, code: 2000 });
  return answer.data;
};

describe('POST /api/v3/user_stat/complex, "empty": overview summary', () => {
  it('has every field of the spec, and says of what has no source that it has none', async () => {
    expect(await ask<Complex>('complex')).toEqual({
      as_of: now.toISOString(),
      router_number: 3,
      router_online_number: 2,
      ap_number: 4,
      ap_online_number: 3,
      current_auth: 1,
      current_online: 4,
      today_auth_amount: 2,
      auth_source: 'devices',
      today_online_amount: 6,
      alarm_level_amount: { FATAL: 0, MIDDLE: 0, GENERAL: 0 },
      alarm_messages: [],
      cumulative_flow: { total: 2200 + 4400 + 8800 + 16_000 + 35_200, items: [], source: 'none', from: '2026-11-15' },
      income: '0.00',
      income_source: 'none',
      intercept_number: null,
      intercept_source: 'none',
    });
  });

  it('takes no body at all', async () => {
    const response = await fetch(`${server.url}/api/v3/user_stat/complex`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(await response.json()).toMatchObject({ code: 2000, data: { router_number: 3 } });
  });

  it('is narrowed to a network, and to what somebody may see', async () => {
    const ofCafe = {
      ...{ router_number: 1, router_online_number: 1, ap_number: 2, ap_online_number: 2 },
      ...{ current_online: 2, current_auth: 0, today_online_amount: 2, today_auth_amount: 0 },
      cumulative_flow: { total: 8800 + 35_200 },
    };
    expect(await ask('complex', { gwid: cafe })).toMatchObject(ofCafe);
    expect(await ask('complex', {}, guest)).toMatchObject(ofCafe);
    expect(await server.call('/api/v3/user_stat/complex', { gwid: lobby }, guest)).toMatchObject({ code: 4113 });
  });

  it('reads income of today from the ledger: yuan with two decimals', async () => {
    const book = (key: string, fen: number, time: Date, gwid: string) =>
      server.db.database.withSystem((tx) =>
        post(tx, {
          ...{ accountId: owner.accountId, key, kind: 'access_code', at: time, gwid },
          entries: [
            { ledger: 'balance', fen },
            { ledger: 'income', fen: -fen },
          ],
        }),
      );
    await book('1', 1250, at('11-21', '00:00'), lobby);
    await book('2', -200, at('11-21', '11:00'), lobby);
    await book('3', 305, at('11-21', '12:00'), cafe);
    await book('4', 99_900, at('11-20', '23:59'), cafe);
    expect(await ask<Complex>('complex')).toMatchObject({ income: '13.55', income_source: 'complete' });
    expect((await ask<Complex>('complex', {}, guest)).income).toBe('3.05');
  });
});

it('POST /api/v3/user_stat/ap_complex: "returns ap_flow"', async () => {
  const answer = await ask<ApComplex>('ap_complex');
  expect(answer.ap_flow).toEqual({
    download: 160,
    online: 1,
    online_5g: 2,
    upload: 16,
    week_flow: 176 + 660 + 330,
    flow_source: 'none',
  });
  expect(answer.bands).toEqual([
    { name: '2.4G', online: 1, download: 20, upload: 2 },
    { name: '5G', online: 2, download: 100, upload: 10 },
    { name: '6G', online: 1, download: 40, upload: 4 },
  ]);
  expect(answer.days).toHaveLength(7);
  expect(answer.days.slice(-4)).toEqual([
    { date: '2026-11-18', download: 300, upload: 30 },
    { date: '2026-11-19', download: null, upload: null },
    { date: '2026-11-20', download: 600, upload: 60 },
    { date: '2026-11-21', download: 160, upload: 16 },
  ]);
  const { ap_flow } = await ask<ApComplex>('ap_complex', {}, guest);
  expect(ap_flow).toEqual({
    download: 60,
    online: 0,
    online_5g: 1,
    upload: 6,
    week_flow: 66 + 660,
    flow_source: 'none',
  });
});

describe('POST /api/v3/user_stat/client_num, "day: 7 or 30": array of trend rows', () => {
  const row = (date: string, online: number | null, fresh: number | null, old: number | null) => ({
    ...{ date, online_number: online, new_user_number: fresh, old_user_number: old },
    as_of: date === '2026-11-21' ? now.toISOString() : new Date(Date.parse(`${date}T16:00:00Z`)).toISOString(),
  });

  it.each([[7], ['7']])('gives a row a day for %j, and null where nothing reported', async (day) => {
    expect(await ask('client_num', { day })).toEqual([
      row('2026-11-15', null, null, null),
      row('2026-11-16', null, null, null),
      row('2026-11-17', null, null, null),
      row('2026-11-18', 1, 1, 0),
      row('2026-11-19', null, null, null),
      row('2026-11-20', 2, 1, 1),
      row('2026-11-21', 6, 2, 4),
    ]);
  });

  it.each([[30], ['30']])('gives 30 rows for %j', async (day) => {
    const rows = await ask<{ date: string }[]>('client_num', { day });
    expect([rows.length, rows[0]?.date, rows.at(-1)?.date]).toEqual([30, '2026-10-23', '2026-11-21']);
  });

  it.each([[8], ['history'], [null], [undefined], [[7]], [true]])('refuses %j', async (day) => {
    const answer = await server.call('/api/v3/user_stat/client_num', { day }, owner);
    expect(answer).toMatchObject({ status: 422, errors: { day: [expect.any(String)] } });
  });

  it('shows who is hosted one network its users', async () => {
    expect((await ask<unknown[]>('client_num', { day: 7 }, guest)).slice(-4)).toEqual([
      // only the access point in the other network reported
      row('2026-11-18', null, null, null),
      row('2026-11-19', null, null, null),
      row('2026-11-20', 1, 1, 0),
      row('2026-11-21', 2, 0, 2),
    ]);
  });
});

describe('POST /api/v3/user_stat/flow_model, "day: 30 or history"', () => {
  it.each([[30], ['30']])('counts 30 days for %j', async (day) => {
    expect(await ask<FlowModel>('flow_model', { day })).toEqual({
      as_of: now.toISOString(),
      from: '2026-10-23',
      stage: [
        { name: '0~6', value: 4400 + 8800 + 16_000 },
        { name: '6~11', value: 0 },
        { name: '11~14', value: 35_200 },
        { name: '14~19', value: 0 },
        { name: '19~00', value: 2200 },
      ],
      app_stage: [],
      auth_type: [{ name: 'portal', value: 2 }],
      auth_source: 'devices',
      client_type: [
        { name: 'android', value: 2 },
        { name: 'ios', value: 1 },
        { name: 'mac', value: 1 },
        { name: 'windows', value: 1 },
      ],
      app_times: [],
      app_source: 'none',
      client_type_other: 0,
      client_type_unknown: 1,
    });
  });

  it('counts from the first report on for history', async () => {
    const { from, stage, client_type } = await ask<FlowModel>('flow_model', { day: 'history' });
    expect(from).toBe('2026-10-12');
    expect(stage).toContainEqual({ name: '6~11', value: 1100 });
    expect(client_type[1]).toEqual({ name: 'ios', value: 2 });
  });

  it('shows who is hosted one network its flow and users', async () => {
    const { stage, client_type, auth_type } = await ask<FlowModel>('flow_model', { day: 30 }, guest);
    expect(stage.map(({ value }) => value)).toEqual([8800, 0, 35_200, 0, 0]);
    expect(client_type).toEqual([
      { name: 'android', value: 1 },
      { name: 'windows', value: 1 },
    ]);
    expect(auth_type).toEqual([]);
  });

  it.each([[7], ['all'], [undefined]])('refuses %j', async (day) => {
    for (const model of ['flow_model', 'user_model']) {
      expect((await server.call(`/api/v3/user_stat/${model}`, { day }, owner)).status).toBe(422);
    }
  });
});

describe('POST /api/v3/user_stat/user_model, "day: 30 or history"', () => {
  it('counts the users and visits of 30 days', async () => {
    expect(await ask<UserModel>('user_model', { day: 30 })).toEqual({
      as_of: now.toISOString(),
      from: '2026-10-23',
      user_label: [
        { name: 'new', value: 4 },
        { name: 'old', value: 2 },
      ],
      client_time_block: [
        { name: '0~6', value: 2 },
        { name: '6~11', value: 4 },
        { name: '11~14', value: 3 },
        { name: '14~19', value: 0 },
        { name: '19~00', value: 2 },
      ],
      user_time: [
        { name: '<30', value: 5 },
        { name: '>30', value: 1 },
        { name: '1~2', value: 1 },
        { name: '2~4', value: 1 },
        { name: '>4', value: 1 },
      ],
      terminal_type: [
        { name: 'android', value: 2 },
        { name: 'ios', value: 1 },
        { name: 'mac', value: 1 },
        { name: 'windows', value: 1 },
      ],
      terminal_brand: [
        { name: 'Apple', value: 2 },
        { name: 'Huawei', value: 1 },
        { name: 'Xiaomi', value: 1 },
      ],
      users: 6,
      visits: 9,
      terminal_type_other: 0,
      terminal_type_unknown: 1,
      terminal_brand_other: 0,
      terminal_brand_unknown: 2,
      random_mac: 1,
    });
    const trend = await ask<{ new_user_number: number | null }[]>('client_num', { day: 30 });
    expect(trend.reduce((sum, row) => sum + (row.new_user_number ?? 0), 0)).toBe(4);
  });

  it('counts everybody ever seen for history', async () => {
    const { from, users, visits, user_label } = await ask<UserModel>('user_model', { day: 'history' });
    expect({ from, users, visits }).toEqual({ from: '2026-10-12', users: 7, visits: 12 });
    expect(user_label).toEqual([
      { name: 'new', value: 4 },
      { name: 'old', value: 3 },
    ]);
  });

  it('shows who is hosted one network its users', async () => {
    const { users, visits, user_label } = await ask<UserModel>('user_model', { day: 30 }, guest);
    expect({ users, visits }).toEqual({ users: 2, visits: 3 });
    expect(user_label).toEqual([
      { name: 'new', value: 1 },
      { name: 'old', value: 1 },
    ]);
  });
});

it('POST /api/v3/overview/attention says who is hit, what has drifted, and of what nobody knows', async () => {
  const { systemPool } = server.db.database;
  await systemPool.query("update device set sync_state = 'drifted' where serial = $1", [devices.c1]);
  await systemPool.query("update device set last_seen = $2::timestamptz - interval '6 minutes' where serial = $1", [
    devices.c1,
    now,
  ]);
  const { data } = await server.call<{ offline: { list: unknown[] } }>('/api/v3/overview/attention', {}, owner);
  expect(data).toMatchObject({ drifted: 1, unknown: 1 });
  expect(data.offline.list).toContainEqual(
    expect.objectContaining({ type: 'device', serial: devices.a2, online_user: 7 }),
  );
});

it('answers an account without anything, and says since when it knows nothing', async () => {
  const nobody = await server.register();
  expect(await ask<Complex>('complex', {}, nobody)).toMatchObject({ router_number: 0, cumulative_flow: { total: 0 } });
  const trend = await ask<{ online_number: number | null }[]>('client_num', { day: '7' }, nobody);
  expect(trend.map(({ online_number }) => online_number)).toEqual(Array(7).fill(null));
  for (const day of [30, 'history']) {
    expect(await ask('flow_model', { day }, nobody)).toMatchObject({ from: null, client_type: [], auth_type: [] });
    expect(await ask('user_model', { day }, nobody)).toMatchObject({
      from: null,
      users: 0,
      visits: 0,
      terminal_brand: [],
    });
  }
});

describe('guests of the console’s own portal', () => {
  const clients = { named: 1, fresh: 8, before: 4 } as const;
  const session = (n: number, method: string, granted: string, ended: string | null) =>
    server.db.database.systemPool.query(
      `insert into portal_session (account_id, id, gwid, ticket, state, device_key, mac, verified, method, template_id,
         template_version, locale, minutes, up_kbps, down_kbps, devices, times_per_day, made_at, ready_at, offer_until, granted_at, ended_at)
       values ($1, $2, $3, gen_random_uuid()::text, $4, '\\x01', $5, true, $6, gen_random_uuid(), 1, 'en', 0, 0, 0, 1, 0, $7, $7, $7, $7, $8)`,
      [
        ...[owner.accountId, newId(), lobby, ended ? 'ended' : 'online'],
        ...[mac(n).match(/../g)!.join(':'), method, granted, ended],
      ],
    );

  it('count by method, and once with those whom a device names too', async () => {
    const saved = { gwid: lobby, enabled: false, template_id: null, gateway: 'uam' };
    expect((await server.call('/api/v3/portal/site/save', saved, owner)).code).toBe(2000);
    const early = new Date(now.getTime() - 60_000).toISOString();
    await session(clients.named, 'voucher', early, null);
    await session(clients.fresh, 'one_click', early, null);
    const past = new Date(now.getTime() - 24 * 3_600_000);
    await session(clients.before, 'sms', past.toISOString(), new Date(past.getTime() + 60_000).toISOString());

    expect(await ask('complex')).toMatchObject({ current_auth: 2, today_auth_amount: 3, auth_source: 'both' });
    expect(await ask('complex', { gwid: cafe })).toMatchObject({ current_auth: 0, auth_source: 'none' });
    const { auth_type, auth_source } = await ask<FlowModel>('flow_model', { day: 30 });
    expect(auth_source).toBe('both');
    expect(auth_type).toEqual([
      { name: 'portal', value: 1 },
      { name: 'one_click', value: 1 },
      { name: 'voucher', value: 1 },
      { name: 'sms', value: 1 },
    ]);
  });
});
