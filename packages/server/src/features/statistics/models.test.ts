import type { statistics as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../platform/database/index.ts';
import { mac, now, startTwoNetworks, type TwoNetworks } from './testing/two-networks.ts';

type FlowModel = DataOf<typeof contract.flowModel>;
type UserModel = DataOf<typeof contract.userModel>;

let server: TwoNetworks['server'];
let owner: TwoNetworks['owner'];
let guest: TwoNetworks['guest'];
let lobby: TwoNetworks['lobby'];
let cafe: TwoNetworks['cafe'];
let ask: TwoNetworks['ask'];

beforeAll(async () => {
  ({ server, owner, guest, lobby, cafe, ask } = await startTwoNetworks());
});
afterAll(() => server.stop());

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
      app_measured: null,
      app_since: null,
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

  it('shows a delegated account of one network its flow and users', async () => {
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

  it('counts every client ever seen for history', async () => {
    const { from, users, visits, user_label } = await ask<UserModel>('user_model', { day: 'history' });
    expect({ from, users, visits }).toEqual({ from: '2026-10-12', users: 7, visits: 12 });
    expect(user_label).toEqual([
      { name: 'new', value: 4 },
      { name: 'old', value: 3 },
    ]);
  });

  it('shows a delegated account of one network its users', async () => {
    const { users, visits, user_label } = await ask<UserModel>('user_model', { day: 30 }, guest);
    expect({ users, visits }).toEqual({ users: 2, visits: 3 });
    expect(user_label).toEqual([
      { name: 'new', value: 1 },
      { name: 'old', value: 1 },
    ]);
  });
});

describe('guests of the console’s own portal', () => {
  const clients = { named: 1, fresh: 8, before: 4 } as const;
  const session = (n: number, method: string, granted: string, ended: string | null) =>
    server.db.database.systemPool.query(
      `insert into portal_session (account_id, id, gwid, ticket, state, device_key, mac, verified, method, template_id,
         template_version, locale, minutes, up_kbps, down_kbps, devices, times_per_day, made_at, ready_at, offer_until, granted_at, ended_at)
       values ($1, $2, $3, gen_random_uuid()::text, $4, '\\x01', $5, true, $6, gen_random_uuid(), 1, 'en', 0, 0, 0, 1, 0, $7, $7, $7, $7, $8)`,
      [
        owner.accountId,
        newId(),
        lobby,
        ended ? 'ended' : 'online',
        mac(n).match(/../g)!.join(':'),
        method,
        granted,
        ended,
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
