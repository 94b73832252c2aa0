import type { AlarmPreset, alarmBacktest, alarmRules as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { levelSpanMs } from './past.ts';
import {
  back,
  call,
  clock,
  detail,
  devices,
  gwid,
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

type Simulation = DataOf<typeof alarmBacktest.simulate>;
type Levels = DataOf<typeof alarmBacktest.levels>;
type Preview = DataOf<typeof alarmBacktest.presetPreview>;
type Rules = DataOf<typeof contract.list>;

beforeAll(startFixture);
afterAll(stopFixture);

const simulate = (more: object = {}) => call<Simulation>('alarm_rule/simulate', rule({ tolerance: 300, ...more }));
const variant = ({ variants }: Simulation, tolerance: number, grouped: boolean) =>
  variants.find((one) => one.tolerance === tolerance && one.grouped === grouped)!;

/** Writes past outages: minutes ago, and minutes long. */
async function outages(serial: string, ...each: readonly [ago: number, minutes: number, cause?: string][]) {
  for (const [ago, minutes, cause = 'link'] of each) {
    const began = clock.now().getTime() - ago * minute;
    await query(
      `insert into device_outage (account_id, serial, began_at, ended_at, cause) values ($1, $2, $3, $4, $5)`,
      [owner.accountId, serial, new Date(began), new Date(began + minutes * minute), cause],
    );
  }
}

const seenSince = (days: number) =>
  query('update device set first_seen = $2 where account_id = $1', [
    owner.accountId,
    new Date(clock.now().getTime() - days * 1440 * minute),
  ]);

describe('a rule against the past', () => {
  it('makes what the live evaluation made of the same outages', async () => {
    await start();
    const [router] = await devices('gateway', 1);
    const aps = await devices('ap', 5);
    const [flapping, planned, blip, alone] = aps as [string, string, string, string, string];
    await pass(10);
    for (let times = 0; times < 2; times += 1) {
      await lose([flapping]);
      await pass(7);
      await back([flapping]);
      await pass(3);
    }
    await lose([planned], { restarting: true });
    await lose([blip]);
    await pass(2);
    await back([blip]);
    await back([planned], 'planned');
    await pass(15);
    await lose([router!, ...aps]);
    await pass(12);
    await back([router!, ...aps]);
    await pass(15);
    await lose([alone]);
    await pass(9);
    const made = (await list({ state: 'all', kind: 'ap_offline' })).filter(({ serial }) => serial !== null);
    const events = (await Promise.all(made.map(({ id }) => detail(id)))).flatMap(({ timeline }) => timeline);
    const starts = events.filter(({ type }) => type === 'opened' || type === 'reopened').length;
    const ends = events.filter(({ type }) => type === 'recovered').length;
    expect(starts).toBe(3);
    const simulation = await simulate();
    expect(simulation).toMatchObject({ tested: true, step: null, alarms: starts, notices: starts + ends });
    expect(simulation.longest).toMatchObject({ serial: flapping, network: 'West-Lake', lasts: false });
    expect(simulation.networks).toEqual([{ gwid, network: 'West-Lake', alarms: starts }]);
    expect(simulation.days.reduce((sum, day) => sum + day.alarms, 0)).toBe(starts);
    expect(variant(simulation, 300, true)).toMatchObject({ alarms: starts });
    // the gateway's outage took five access points away
    expect(variant(simulation, 300, false)).toMatchObject({ alarms: starts + 5 });
    expect(variant(simulation, 1200, false)).toMatchObject({ alarms: 0, notices: 0 });
    expect(await simulate({ kind: 'gateway_offline' })).toMatchObject({ alarms: 1, notices: 2 });
  });

  it('reaches thirty days back, in days of the account, and no further than the first device', async () => {
    await start();
    const [old] = await devices('ap', 2);
    await seenSince(90);
    const day = 1440;
    await outages(
      old!,
      [40 * day, 60],
      [29 * day - 120, 60],
      [29 * day - 240, 60, 'planned'],
      [day, 30],
      [day - 90, 4],
    );
    const simulation = await simulate();
    expect(simulation).toMatchObject({ alarms: 2, notices: 4, longest: { serial: old, seconds: 3600 } });
    expect(simulation.days.length).toBeGreaterThanOrEqual(30);
    expect(simulation.days.filter(({ alarms }) => alarms > 0)).toHaveLength(2);
    expect(variant(simulation, 600, true)).toMatchObject({ alarms: 2 });
    expect(await simulate({ tolerance: 120 })).toMatchObject({ alarms: 3 });
    expect(await simulate({ enabled: false })).toMatchObject({ alarms: 0 });
    await seenSince(3);
    const short = await simulate();
    expect(Date.parse(short.from)).toBe(clock.now().getTime() - 3 * day * minute);
    expect(short.alarms).toBe(1);
  });

  it('counts nothing that the console missed itself', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    await seenSince(90);
    const at = (ago: number) => new Date(clock.now().getTime() - ago * minute);
    await query(`insert into platform.listening (node, since, until) values ('a', $1, $2), ('b', $3, $4)`, [
      at(9000),
      at(5000),
      at(4900),
      clock.now(),
    ]);
    await outages(ap!, [5001, 104], [3000, 10]);
    expect(await simulate()).toMatchObject({ alarms: 1 });
    await query(`delete from platform.listening where node in ('a', 'b')`);
  });

  it('reads temperatures of reports that are not rolled up yet, and memory from the rollups', async () => {
    await start();
    const [hot, full] = await devices('ap', 3);
    await seenSince(90);
    await query('update device set gwid = $2 where serial = $1', [full, await network('East-Gate')]);
    const begin = new Date(Math.floor(clock.now().getTime() / (5 * minute)) * 5 * minute - 1440 * minute);
    const sums = `0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0`;
    await query(
      `insert into device_sample (account_id, serial, at, gwid, restarted, temperature, wan_down, wan_up, house_wan,
         down_2g, up_2g, down_5g, up_5g, down_6g, up_6g, weak, rssi_sum, rssi_n, rate_sum, rate_n, tx_packets, tx_retries, tx_failed)
       select $1, $2, $3::timestamptz + make_interval(mins => n), $4, false, case when n between 30 and 59 then 99 else 50 end,
         0, 0, 0, ${sums}, 0 from generate_series(0, 119) n`,
      [owner.accountId, hot, begin, gwid],
    );
    const columns = await query(
      `select column_name from information_schema.columns where table_name = 'rollup_device_5m' and is_nullable = 'NO'
         and column_name not in ('account_id', 'bucket', 'serial', 'gwid')`,
    );
    const names = columns.rows.map(({ column_name: name }) => name as string);
    await query(
      `insert into rollup_device_5m (account_id, bucket, serial, gwid, mem_sum, mem_n, ${names.join(', ')})
       select $1, $3::timestamptz + make_interval(mins => 5 * n), $2, gwid, case when n < 8 then 49500 else 10000 end, 5, ${names.map(() => '0').join(', ')}
       from generate_series(0, 20) n, device where serial = $2`,
      [owner.accountId, full, begin],
    );
    const heat = await simulate({ kind: 'temperature_high', threshold: 90, tolerance: 600 });
    expect(heat).toMatchObject({ tested: true, step: 300, alarms: 1, notices: 2, longest: { serial: hot } });
    expect(heat.from).toBe(begin.toISOString());
    // half an hour, as ten-minute means
    expect(heat.longest!.seconds).toBeGreaterThanOrEqual(1500);
    expect(heat.longest!.seconds).toBeLessThanOrEqual(2100);
    expect(await simulate({ kind: 'temperature_high', threshold: 100, tolerance: 600 })).toMatchObject({ alarms: 0 });
    const memory = await simulate({ kind: 'memory_high', threshold: 95, tolerance: 600 });
    expect(memory).toMatchObject({ alarms: 1, networks: [{ network: 'East-Gate', alarms: 1 }] });
    expect(await simulate({ kind: 'memory_high', threshold: 95, tolerance: 3600 })).toMatchObject({ alarms: 0 });
    const peaks = async (more: object) =>
      (await call<Levels>('alarm_rule/levels', rule({ tolerance: 600, ...more }))).curve;
    const heated = (await peaks({ kind: 'temperature_high', threshold: 90 }))!;
    expect(heated.step).toBe(3600);
    expect(Math.max(...heated.values.filter((value) => value !== null))).toBe(99);
    expect(heated.values).toContain(null);
    const inScope = (ids: string[]) => peaks({ kind: 'memory_high', threshold: 95, scope: { type: 'networks', ids } });
    const [east] = (await query('select gwid from device where serial = $1', [full])).rows as { gwid: string }[];
    expect(Math.max(...(await inScope([east!.gwid]))!.values.map((value) => value ?? 0))).toBe(99);
    expect(await inScope([gwid])).toBeNull();
    expect(await peaks({ kind: 'ap_offline' })).toBeNull();
  });

  it('reads a bounded number of rows, however many devices', () => {
    for (const devices of [1000, 10_000, 100_000]) {
      const rows = (levelSpanMs(devices) / 1000 / 300) * devices;
      expect(rows).toBeGreaterThan(0);
      expect(rows).toBeLessThanOrEqual(1_500_000);
    }
  });

  it('says of which kinds no history is stored', async () => {
    await start();
    for (const kind of ['wan_down', 'config_failed', 'config_drifted', 'certificate_shared'])
      expect(await simulate({ kind })).toMatchObject({ tested: false, alarms: 0, days: [], variants: [] });
  });

  it('reads failed upgrades from their log', async () => {
    await start();
    const [ap] = await devices('ap', 1);
    await seenSince(90);
    for (const [ago, result] of [
      [5000, 'failed'],
      [4000, 'success'],
      [3000, 'failed'],
    ] as const)
      await query(
        `insert into upgrade_log (account_id, id, at, serial, name, gwid, action, trigger, result)
         values ($1, gen_random_uuid(), $2, $3, 'AP', $4, 'upgrade', 'user', $5)`,
        [owner.accountId, new Date(clock.now().getTime() - ago * minute), ap, gwid, result],
      );
    expect(await simulate({ kind: 'upgrade_failed', tolerance: 0 })).toMatchObject({
      alarms: 2,
      notices: 3,
      longest: { seconds: 3000 * 60, lasts: true },
    });
  });

  it('refuses what saving refuses', async () => {
    await start();
    const refused = await server.call(
      '/api/v3/alarm_rule/simulate',
      rule({ kind: 'memory_high', threshold: 20 }),
      owner,
    );
    expect(refused).toMatchObject({ errors: { 'rule.threshold': [expect.any(String)] } });
  });
});

describe('a preset', () => {
  const rules = async () => new Map((await call<Rules>('alarm_rule/list')).list.map((row) => [row.rule.kind, row]));
  const apply = (preset: AlarmPreset) => call('alarm_rule/preset/apply', { preset });

  it('is previewed with what it would have made and what it overwrites', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    await seenSince(90);
    await outages(ap!, [3000, 45], [2000, 10], [1000, 3]);
    await call('alarm_rule/save', rule({ kind: 'switch_offline' }));
    const preview = await call<Preview>('alarm_rule/preset/preview');
    expect(preview).toMatchObject({ current: 'normal', overwrites: ['switch_offline'], saved: { alarms: 2 } });
    expect(preview.presets.map(({ preset, alarms, notices }) => ({ preset, alarms, notices }))).toEqual([
      { preset: 'quiet', alarms: 1, notices: 2 },
      { preset: 'normal', alarms: 2, notices: 4 },
      { preset: 'strict', alarms: 3, notices: 6 },
    ]);
    const history = new Map(preview.history.map(({ kind, from }) => [kind, from]));
    expect(history.get('ap_offline')).not.toBeNull();
    expect(history.get('wan_down')).toBeNull();
    const strict = preview.presets[2]!.rules.find((one) => one.rule.kind === 'ap_offline');
    expect(strict).toMatchObject({ alarms: 3, rule: { tolerance: 120 } });
  });

  it('sets all rules in one act, keeps scopes and hours, and is undone as one', async () => {
    await start();
    const hours = [{ weekdays: [1, 2, 3, 4, 5], start: '08:00', minutes: 720 }];
    const scope = { type: 'networks', ids: [gwid] };
    await call('alarm_rule/save', rule({ tolerance: 77, scope, hours }));
    expect((await rules()).get('ap_offline')).toMatchObject({ changed: true, preset: null });
    await apply('quiet');
    const quiet = await rules();
    expect(quiet.get('ap_offline')).toMatchObject({
      changed: false,
      preset: 'quiet',
      rule: { tolerance: 1800, level: 'MIDDLE', scope, hours },
    });
    expect(quiet.get('channel_busy')).toMatchObject({ rule: { enabled: false }, preset: 'quiet' });
    expect((await call<Preview>('alarm_rule/preset/preview')).current).toBe('quiet');
    const log = await call<{ list: { seq: number; action: string }[] }>('log/action/list', { limit: 2 });
    expect(log.list.map(({ action }) => action)).toEqual(['alarm.preset', 'alarm.rule']);
    await call('log/action/undo', { seq: log.list[0]!.seq });
    const before = await rules();
    expect(before.get('ap_offline')).toMatchObject({ changed: true, rule: { tolerance: 77, hours } });
    expect(before.get('channel_busy')).toMatchObject({ changed: false, preset: 'normal', rule: { enabled: true } });
  });
});

describe('the hours of a rule', () => {
  const zoned = (at: Date, zone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(at);

  it('start no alarm outside of them, and one for what lasts when they begin', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    await pass(2);
    const { time_zone: zone } = await call<Rules>('alarm_rule/list');
    const begin = zoned(new Date(clock.now().getTime() + 20 * minute), zone);
    const hours = [{ weekdays: [1, 2, 3, 4, 5, 6, 7], start: begin, minutes: 60 }];
    await call('alarm_rule/save', rule({ hours }));
    await lose([ap!]);
    await pass(18);
    expect(await list()).toEqual([]);
    await pass(3);
    expect(await list()).toMatchObject([{ serial: ap, state: 'firing' }]);
    expect(await simulate({ hours })).toMatchObject({ alarms: 1 });
  });

  it('refuses hours without a day', async () => {
    await start();
    const hours = [{ weekdays: [], start: '08:00', minutes: 60 }];
    expect((await server.call('/api/v3/alarm_rule/save', rule({ hours }), owner)).code).not.toBe(2000);
  });
});

it('shows that the scope of a rule is empty once its groups are gone, and makes nothing of it', async () => {
  await start();
  const [ap] = await devices('ap', 2);
  const { id } = await call<{ id: string }>('ap/group/create', { name: 'Upstairs' });
  await query('update device set group_id = $2 where serial = $1', [ap, id]);
  await call('alarm_rule/save', rule({ scope: { type: 'groups', ids: [id] } }));
  await call('ap/group/delete', { id });
  await pass(5);
  await lose([ap!]);
  await pass(5);
  expect(await list()).toEqual([]);
  const { list: rows } = await call<Rules>('alarm_rule/list');
  expect(rows.find((row) => row.rule.kind === 'ap_offline')).toMatchObject({
    empty_scope: true,
    rule: { scope: { type: 'groups', ids: [] } },
  });
});
