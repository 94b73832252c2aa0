import type { alarmRules as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../platform/database/index.ts';
import {
  back,
  call,
  clock,
  counts,
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

beforeAll(startFixture);
afterAll(stopFixture);

describe('what a person does', () => {
  it('is in the timeline, in the operation log and in the counts', async () => {
    await start();
    const [one, two] = await devices('ap', 3);
    await pass(10);
    await lose([one!, two!]);
    await pass(6);
    const ids = (await list()).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const [first, second] = ids as [string, string];
    await call('alarm/acknowledge', { ids: [first], note: 'cable is out', assignee: owner.userId });
    await call('alarm/silence', { ids: [second], minutes: 3 });
    expect(await counts()).toMatchObject({ active: 1, firing: 0, acknowledged: 1, silenced: 1 });
    expect(await list({ state: 'acknowledged' })).toMatchObject([
      { id: first, note: 'cable is out', assignee: { id: owner.userId } },
    ]);
    expect(await list({ keyword: 'cable' })).toHaveLength(1);
    const log = await call<{ list: { action: string }[] }>('log/action/list', { limit: 2 });
    expect(log.list.map(({ action }) => action)).toEqual(['alarm.silence', 'alarm.acknowledge']);
    await pass(4);
    expect(await list({ state: 'firing' })).toMatchObject([{ id: second, silenced_until: null }]);
    expect((await detail(second)).timeline.map(({ type }) => type)).toEqual(['silence_ended', 'silenced', 'opened']);
    await call('alarm/silence', { ids: [second], until: new Date(clock.now().getTime() + 60 * minute).toISOString() });
    await call('alarm/unsilence', { ids: [second] });
    await call('alarm/resolve', { ids: [second], note: 'known' });
    await pass(2);
    expect((await list()).map(({ id }) => id)).toEqual([first]);
    await back([(await detail(second)).alarm.serial!]);
    await pass(1);
    expect((await list({ state: 'all' })).length).toBe(2);
  });

  it('resolves a cause with all its children, and logs the first ones', async () => {
    await start();
    const [cause, children] = [newId(), 9000];
    await query(
      `insert into alarm (account_id, id, kind, level, state, gwid, part, name, network, began_at, last_at, count, devices_hit, cause_id)
       select $1, case n when 0 then $2::uuid else gen_random_uuid() end, 'wan_down', 'MIDDLE', 'firing', $3, n::text, 'WAN', '',
         $4, $4, 1, 1, case when n > 0 then $2::uuid end from generate_series(0, $5::integer) n`,
      [owner.accountId, cause, gwid, clock.now(), children],
    );
    expect(await call('alarm/resolve', { ids: [cause], note: 'known' })).toEqual({ changed: children + 1 });
    expect(await list()).toEqual([]);
    const events = await query(
      `select count(*)::int as events from alarm_event where account_id = $1 and type = 'resolved' and note = 'known'`,
      [owner.accountId],
    );
    expect(events.rows).toEqual([{ events: children + 1 }]);
    await query('delete from alarm where account_id = $1', [owner.accountId]);
  });

  it('refuses a silence without an end, one in the past, and strangers as assignees', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    await pass(10);
    await lose([ap!]);
    await pass(6);
    const ids = (await list()).map(({ id }) => id);
    const refused = (path: string, body: object) => server.call(`/api/v3/alarm/${path}`, { ids, ...body }, owner);
    expect(await refused('silence', {})).toMatchObject({ errors: { minutes: [expect.any(String)] } });
    expect(await refused('silence', { until: new Date(0).toISOString() })).toMatchObject({
      errors: { until: [expect.any(String)] },
    });
    expect(await refused('acknowledge', { assignee: newId() })).toMatchObject({
      errors: { assignee: [expect.any(String)] },
    });
  });
});

describe('a rule', () => {
  it('has its own level, tolerance and scope, and lets go of what it no longer covers', async () => {
    await start();
    const other = await network('East-Gate');
    const here = await devices('ap', 2);
    const there = await devices('ap', 2, other);
    await call('alarm_rule/save', rule({ scope: { type: 'networks', ids: [gwid] } }));
    await pass(10);
    await lose([here[0]!, there[0]!]);
    await pass(2);
    expect(await list()).toMatchObject([{ serial: here[0], level: 'FATAL' }]);
    await call('alarm_rule/save', rule({ enabled: false }));
    await pass(1);
    expect(await list()).toEqual([]);
    const [closed] = await list({ state: 'all' });
    expect((await detail(closed!.id)).timeline[0]).toMatchObject({ type: 'uncovered' });
    const rules = await call<DataOf<typeof contract.list>>('alarm_rule/list');
    expect(rules.list.find((one) => one.rule.kind === 'ap_offline')).toMatchObject({
      rule: { enabled: false },
      standard: { enabled: true, tolerance: 300 },
      changed: true,
    });
  });

  it('refuses thresholds out of bounds and unknown networks', async () => {
    await start();
    const refused = (more: object) => server.call('/api/v3/alarm_rule/save', rule(more), owner);
    for (const more of [{ threshold: 5 }, { kind: 'memory_high' }, { kind: 'memory_high', threshold: 20 }])
      expect(await refused(more)).toMatchObject({ errors: { 'rule.threshold': [expect.any(String)] } });
    expect(await refused({ scope: { type: 'networks', ids: [newId()] } })).toMatchObject({
      errors: { 'rule.scope': [expect.any(String)] },
    });
  });
});

describe('measured problems', () => {
  it('are alarms once they last, and stay while nothing is reported', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    const report = (sanity: number) =>
      query('update device_latest set sanity = $2, health_at = $3 where serial = $1', [ap, sanity, clock.now()]);
    await report(40);
    await pass(5);
    await report(90);
    await pass(2);
    await report(40);
    await pass(9);
    expect(await list()).toEqual([]);
    await report(40);
    await pass(3);
    const [alarm] = await list();
    expect(alarm).toMatchObject({ kind: 'health_low', level: 'GENERAL', value: 40, threshold: 60 });
    await pass(20);
    expect(await list()).toMatchObject([{ id: alarm!.id }]);
    await report(95);
    await pass(1);
    expect(await list()).toEqual([]);
  });

  it('begin anew after a silence, and end when their rule is switched off meanwhile', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    const report = () =>
      query('update device_latest set sanity = 40, health_at = $2 where serial = $1', [ap, clock.now()]);
    await call('alarm_rule/save', rule({ kind: 'health_low', threshold: 60, tolerance: 1800 }));
    await report();
    await pass(17);
    await call('alarm_rule/save', rule({ kind: 'health_low', threshold: 60, tolerance: 180 }));
    await report();
    const began = clock.now().toISOString();
    await pass(2);
    expect(await list()).toEqual([]);
    await pass(3);
    expect((await list())[0]!.began_at > began).toBe(true);
    await pass(14);
    expect(await list()).toHaveLength(1);
    await call('alarm_rule/save', rule({ kind: 'health_low', threshold: 60, enabled: false }));
    await pass(1);
    expect(await list()).toEqual([]);
  });

  it('end with the WAN that a gateway no longer has', async () => {
    await start();
    const [router] = await devices('gateway', 1);
    const report = (lines: object[]) =>
      query('update device_latest set edge = $2, at = $3 where serial = $1', [
        router,
        JSON.stringify({ lines }),
        clock.now(),
      ]);
    await report([{ interface: 'wan2', alive: false }]);
    await pass(3);
    expect(await list()).toMatchObject([{ kind: 'wan_down', part: 'wan2' }]);
    await report([{ interface: 'wan2', alive: null }]);
    await pass(1);
    expect(await list()).toHaveLength(1);
    await report([]);
    await pass(1);
    expect(await list()).toEqual([]);
  });

  it('are sent for WAN links, memory, channels, heat, configurations, upgrades and certificates', async () => {
    await start();
    const serials = (await devices('ap', 8)) as [string, string, string, string, string, string, string, string];
    const [wan, memory, air, heat, failed, drifted, upgrade, shared] = serials;
    await query(`update device_latest set edge = $2 where serial = $1`, [
      wan,
      JSON.stringify({
        lines: [
          { interface: 'wan1', alive: true },
          { interface: 'wan2', alive: false },
        ],
      }),
    ]);
    await query(`update device set sync_state = 'failed', sync_since = $2 where serial = $1`, [failed, clock.now()]);
    await query(`update device set sync_state = 'drifted', sync_since = $2 where serial = $1`, [drifted, clock.now()]);
    await query(
      `insert into upgrade_log (account_id, id, at, serial, name, gwid, action, trigger, result)
       values ($1, $2, $3, $4, 'AP', $5, 'upgrade', 'user', 'failed')`,
      [owner.accountId, newId(), clock.now(), upgrade, gwid],
    );
    await query(
      `insert into shared_certificate (account_id, serial, first_box, second_box, switches, at, held_since)
       values ($1, $2, '{}', '{}', 3, $3, $3)`,
      [owner.accountId, shared, clock.now()],
    );
    for (let minutes = 0; minutes < 36; minutes += 6) {
      for (const [serial, mem, util, temperature] of [
        [memory, 99, 5, 40],
        [air, 20, 95, 40],
        [heat, 20, 5, 101],
      ] as const) {
        await query(
          `insert into device_sample (account_id, serial, at, gwid, restarted, mem, util_5g, temperature, wan_down, wan_up, house_wan,
             down_2g, up_2g, down_5g, up_5g, down_6g, up_6g, weak, rssi_sum, rssi_n, rate_sum, rate_n, tx_packets, tx_retries, tx_failed)
           values ($1, $2, $3, $4, false, $5, $6, $7, 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0)`,
          [owner.accountId, serial, clock.now(), gwid, mem, util, temperature],
        );
      }
      await query('update device_latest set at = $2 where serial = $1', [wan, clock.now()]);
      await pass(6);
    }
    expect(
      Object.fromEntries(
        (await list({ limit: 50 })).map(({ kind, serial, part }) => [`${kind} ${part}`.trim(), serial]),
      ),
    ).toEqual({
      'wan_down wan2': wan,
      memory_high: memory,
      channel_busy: air,
      temperature_high: heat,
      config_failed: failed,
      config_drifted: drifted,
      upgrade_failed: upgrade,
      certificate_shared: shared,
    });
  });
});
