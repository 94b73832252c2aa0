import type { statistics as contract, DataOf, DayGap } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUsersDay } from '../../telemetry/users-day.ts';
import { post } from '../billing/service.ts';
import { at, mac, now, startTwoNetworks, type TwoNetworks } from './testing/two-networks.ts';

type Complex = DataOf<typeof contract.complex>;
type ApComplex = DataOf<typeof contract.apComplex>;

let server: TwoNetworks['server'];
let owner: TwoNetworks['owner'];
let guest: TwoNetworks['guest'];
let lobby: TwoNetworks['lobby'];
let cafe: TwoNetworks['cafe'];
let devices: TwoNetworks['devices'];
let ask: TwoNetworks['ask'];
let telemetry: TwoNetworks['telemetry'];

beforeAll(async () => {
  ({ server, owner, guest, lobby, cafe, devices, ask, telemetry } = await startTwoNetworks());
});
afterAll(() => server.stop());

describe('POST /api/v3/user_stat/complex, "empty": overview summary', () => {
  it('has every fixed field, and says of what has no source that it has none', async () => {
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
      cumulative_flow: {
        total: 2200 + 4400 + 8800 + 16_000 + 35_200,
        items: [],
        source: 'none',
        from: '2026-11-15',
        measured: null,
        measured_since: null,
      },
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

  it('is narrowed to a network, and to the networks that a member may see', async () => {
    const ofCafe = {
      router_number: 1,
      router_online_number: 1,
      ap_number: 2,
      ap_online_number: 2,
      current_online: 2,
      current_auth: 0,
      today_online_amount: 2,
      today_auth_amount: 0,
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
          accountId: owner.accountId,
          key,
          kind: 'access_code',
          at: time,
          gwid,
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
    expect(await ask<Complex>('complex', { gwid: cafe })).toMatchObject({ income: '3.05' });
    // money is never hosted
    expect(await ask<Complex>('complex', {}, guest)).toMatchObject({ income: null, income_source: 'hidden' });
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
    { date: '2026-11-18', download: 300, upload: 30, gap: null },
    { date: '2026-11-19', download: null, upload: null, gap: 'no_report' },
    { date: '2026-11-20', download: 600, upload: 60, gap: null },
    { date: '2026-11-21', download: 160, upload: 16, gap: null },
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
  const row = (
    date: string,
    online: number | null,
    fresh: number | null,
    old: number | null,
    gap: DayGap = 'no_report',
  ) => ({
    date,
    online_number: online,
    new_user_number: fresh,
    old_user_number: old,
    gap: online === null ? gap : null,
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

  it('shows a delegated account of one network its users', async () => {
    expect((await ask<unknown[]>('client_num', { day: 7 }, guest)).slice(-4)).toEqual([
      // only the access point in the other network reported
      row('2026-11-18', null, null, null, 'before_first_report'),
      row('2026-11-19', null, null, null, 'before_first_report'),
      row('2026-11-20', 1, 1, 0),
      row('2026-11-21', 2, 0, 2),
    ]);
  });
});

it('POST /api/v3/overview/attention names affected networks, drifted devices and unknown states', async () => {
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
  const other = await server.register();
  expect(await ask<Complex>('complex', {}, other)).toMatchObject({ router_number: 0, cumulative_flow: { total: 0 } });
  const trend = await ask<{ online_number: number | null }[]>('client_num', { day: '7' }, other);
  expect(trend.map(({ online_number }) => online_number)).toEqual(Array(7).fill(null));
  for (const day of [30, 'history']) {
    expect(await ask('flow_model', { day }, other)).toMatchObject({ from: null, client_type: [], auth_type: [] });
    expect(await ask('user_model', { day }, other)).toMatchObject({
      from: null,
      users: 0,
      visits: 0,
      terminal_brand: [],
    });
  }
});

it('knows no number of users of a day whose clients are stored but not counted yet', async () => {
  const usersDay = createUsersDay({ database: server.db.database, clock: { now: () => now } });
  await usersDay.run();
  await telemetry.reports({ serial: devices.a1, gwid: lobby, at: at('11-19', '10:00') });
  await telemetry.visited(mac(1), { day: '2026-11-19', gwid: lobby, seconds: 600, hours: [10] });
  for (const input of [{ day: 7 }, { day: 7, gwid: lobby }]) {
    const days = await ask<{ date: string }[]>('client_num', input);
    expect(days.find(({ date }) => date === '2026-11-19')).toMatchObject({ online_number: null, gap: 'not_counted' });
  }
  await server.db.query("update platform.rollup_progress set until = '2026-11-19' where name = 'users_day'");
  await usersDay.run();
  const days = await ask<{ date: string }[]>('client_num', { day: 7 });
  expect(days.find(({ date }) => date === '2026-11-19')).toMatchObject({ online_number: 1, gap: null });
});
