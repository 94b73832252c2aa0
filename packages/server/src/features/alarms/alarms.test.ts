import type { DataOf, statistics } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import {
  back,
  brief,
  call,
  clock,
  counts,
  type Detail,
  detail,
  devices,
  evaluate,
  gwid,
  type List,
  list,
  lose,
  minute,
  network,
  owner,
  pass,
  query,
  rule,
  server,
  start,
  startFixture,
  stopFixture,
} from './testing/fixture.ts';

beforeAll(startFixture);
afterAll(stopFixture);

describe('a device that goes offline', () => {
  it('is an alarm after its tolerance, and recovers with the device', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    await pass(10);
    await lose([ap!]);
    const began = clock.now().toISOString();
    await pass(4);
    expect(await list()).toEqual([]);
    await pass(2);
    const [alarm] = await list();
    expect(alarm).toMatchObject({
      kind: 'ap_offline',
      level: 'MIDDLE',
      state: 'firing',
      serial: ap,
      gwid,
      network: 'West-Lake',
      began_at: began,
      recovered_at: null,
      seconds: 360,
      devices_hit: 1,
      clients_hit: 3,
    });
    expect(await counts()).toMatchObject({ active: 1, by_level: { MIDDLE: 1 }, firing: 1 });
    await back([ap!]);
    const ended = clock.now().toISOString();
    await pass(1);
    expect(await list()).toEqual([]);
    expect(await list({ state: 'recovered' })).toMatchObject([{ id: alarm!.id, recovered_at: ended }]);
    expect((await detail(alarm!.id)).timeline.map(({ type }) => type)).toEqual(['recovered', 'opened']);
  });

  it('is evaluated when its tolerance ends, not at the next minute', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    await call('alarm_rule/save', rule({ tolerance: 45 }));
    await pass(10);
    await lose([ap!]);
    const before = Date.now();
    clock.advance(10_000);
    await evaluate();
    const { rows } = await server.db.database.systemPool.query<{ run_at: Date }>(
      "select run_at from graphile_worker.jobs where key = 'alarms-evaluate-due'",
    );
    const waits = rows[0]!.run_at.getTime() - before;
    expect(waits).toBeGreaterThanOrEqual(35_000);
    expect(waits).toBeLessThan(60_000);
  });

  it('is none for a minute, and one incident with a count when it flaps', async () => {
    await start();
    const [blip, flapping] = await devices('ap', 3);
    await pass(10);
    await lose([blip!]);
    await pass(1);
    await back([blip!]);
    for (let times = 0; times < 3; times += 1) {
      await lose([flapping!]);
      await pass(6);
      await back([flapping!]);
      await pass(3);
    }
    expect(brief(await list({ state: 'all' }))).toEqual([{ kind: 'ap_offline', state: 'recovered', count: 3, hit: 1 }]);
  });

  it('is none while the console restarts it, or is away itself', async () => {
    await start();
    const [restarted, silent] = await devices('ap', 3);
    await pass(10);
    await lose([restarted!], { restarting: true });
    await lose([silent!], { cause: 'console' });
    await pass(4);
    await back([silent!], 'console');
    await pass(5);
    await back([restarted!], 'planned');
    await pass(2);
    expect(await list({ state: 'all' })).toEqual([]);
  });

  it('is none if it returns within five minutes after a downtime of the console', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    await pass(10);
    await lose([ap!]);
    await pass(2);
    clock.advance(20 * minute);
    await query('update device set last_seen = $1 where online', [clock.now()]);
    await server.db.database.systemPool.query('update platform.listening set since = $1, until = $1', [clock.now()]);
    clock.advance(minute);
    await back([ap!]);
    await pass(1);
    expect(await list({ state: 'all' })).toEqual([]);
  });

  it('is none in a maintenance window, and one after it', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    const soon = new Date(clock.now().getTime() - 30 * minute);
    const zone = (await call<{ time_zone: string }>('network/window/get', { gwid })).time_zone;
    const start24 = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(
      soon,
    );
    const window = { weekdays: [1, 2, 3, 4, 5, 6, 7], start: start24, minutes: 60 };
    await call('network/window/save', { gwid, window });
    await pass(6);
    await lose([ap!]);
    await pass(20);
    expect(await list()).toEqual([]);
    await pass(8);
    expect(brief(await list())).toEqual([{ kind: 'ap_offline', state: 'firing', count: 1, hit: 1 }]);
  });
});

describe('a cause', () => {
  it('makes of a router with 40 access points one alarm and one recovery', async () => {
    await start();
    const [router] = await devices('gateway', 1, gwid, 90);
    const aps = await devices('ap', 40);
    await pass(10);
    await lose(aps.slice(0, 20));
    await pass(1);
    await lose([router!, ...aps.slice(20)]);
    await pass(8);
    const [alarm, ...more] = await list();
    expect(more).toEqual([]);
    expect(alarm).toMatchObject({ kind: 'gateway_offline', level: 'FATAL', devices_hit: 41, clients_hit: 120 });
    expect(await detail(alarm!.id)).toMatchObject({ children_total: 40, cause: null });
    expect((await detail((await detail(alarm!.id)).children[0]!.id)).cause).toMatchObject({ id: alarm!.id });
    await back([router!]);
    await pass(2);
    await back(aps);
    await pass(12);
    expect(await list()).toEqual([]);
    expect(await list({ state: 'all' })).toMatchObject([{ id: alarm!.id, state: 'recovered', count: 1 }]);
    const events = await query('select type from alarm_event where alarm_id = $1 order by at', [alarm!.id]);
    expect(events.rows.map((row) => row.type)).toEqual(['opened', 'recovered']);
  });

  it('is one alarm for all access points of a site without a managed gateway', async () => {
    await start();
    const aps = await devices('ap', 5);
    await pass(10);
    await lose(aps);
    await pass(7);
    const [alarm, ...more] = await list();
    expect(more).toEqual([]);
    expect(alarm).toMatchObject({ kind: 'network_offline', serial: null, name: 'West-Lake', devices_hit: 5 });
    await back(aps);
    await pass(1);
    expect(await list()).toEqual([]);
  });
});

describe('access to alarms', () => {
  it('finds them in the home page in its language, and none of unbound devices', async () => {
    await start();
    const [router] = await devices('gateway', 1);
    await pass(10);
    await lose([router!]);
    await pass(4);
    const home = (locale: string) =>
      call<DataOf<typeof statistics.complex>>('user_stat/complex', {}, { ...owner, locale });
    expect(await home('en')).toMatchObject({
      alarm_level_amount: { FATAL: 1, MIDDLE: 0, GENERAL: 0 },
      alarm_messages: [{ level: 'FATAL', message: 'Gateway gateway-1 of West-Lake is offline' }],
    });
    expect((await home('zh-CN')).alarm_messages[0]?.message).toBe('West-Lake 的网关 gateway-1 离线');
    const gone = await call<{ removed: object[] }>('network/unbind', { gwid });
    expect(gone).toMatchObject({ removed: expect.arrayContaining([{ part: 'alarm', count: 1 }]) });
    expect(await list({ state: 'all' })).toEqual([]);
  });

  it('shows a member with some networks only the alarms of these', async () => {
    await start();
    const other = await network('East-Gate');
    const here = await devices('ap', 2);
    const there = await devices('ap', 2, other);
    await pass(10);
    await lose([here[0]!, there[0]!]);
    await pass(6);
    const guest = await server.register();
    await host(server, owner.accountId, guest.accountId, ['message.read', 'message.write'], [other]);
    const narrowed = { token: guest.token, account: owner.accountId };
    const seen = await call<List>('alarm/list', {}, narrowed);
    expect(seen.list.map(({ serial }) => serial)).toEqual([there[0]]);
    const all = await list();
    const hidden = all.find(({ serial }) => serial === here[0])!;
    expect((await server.call('/api/v3/alarm/detail', { id: hidden.id }, narrowed)).code).not.toBe(2000);
    expect(await server.call('/api/v3/alarm_rule/save', rule({}), narrowed)).toMatchObject({
      data: { permission: 'message.write', reason: 'networks' },
    });
    const shown = await call<Detail>('alarm/detail', { id: seen.list[0]!.id }, narrowed);
    expect(shown.timeline.map(({ type }) => type)).toEqual(['opened']);
  });
});
