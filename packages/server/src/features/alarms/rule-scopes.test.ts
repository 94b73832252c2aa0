import { type alarmBacktest, alarms, type alarmRules as contract, type DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../platform/database/index.ts';
import { insertSamples, quiet } from '../../telemetry/testing/samples.ts';
import {
  back,
  call,
  clock,
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
type Rules = DataOf<typeof contract.list>['list'];

beforeAll(startFixture);
afterAll(stopFixture);

const create = async (more: object) => (await call<{ id: string }>('alarm_rule/create', rule(more))).id;
const ofNetworks = (...ids: string[]) => ({ scope: { type: 'networks', ids } });
const rules = async (kind: string): Promise<Rules> =>
  (await call<DataOf<typeof contract.list>>('alarm_rule/list')).list.filter((row) => row.rule.kind === kind);

async function group(name: string, serials: readonly string[]): Promise<string> {
  const { id } = await call<{ id: string }>('ap/group/create', { name });
  await query('update device set group_id = $2 where serial = any($1)', [serials, id]);
  return id;
}

describe('of several rules of a kind', () => {
  it('the most specific counts: network, then group, then main', async () => {
    await start();
    const other = await network('East-Gate');
    const [grouped, plain] = (await devices('ap', 3, other)) as [string, string, string];
    const [near] = (await devices('ap', 3)) as [string, string, string];
    const id = await group('Upstairs', [grouped, near]);
    await call('alarm_rule/save', rule({ level: 'GENERAL', tolerance: 60 }));
    await create({ level: 'MIDDLE', tolerance: 180, scope: { type: 'groups', ids: [id] } });
    await create({ level: 'FATAL', tolerance: 300, ...ofNetworks(gwid) });
    await lose([grouped, plain, near]);
    await pass(2);
    expect(await list()).toMatchObject([{ serial: plain, level: 'GENERAL' }]);
    await pass(2);
    expect((await list()).map(({ serial }) => serial)).not.toContain(near);
    await pass(3);
    const levels = new Map((await list()).map(({ serial, level }) => [serial, level]));
    expect(Object.fromEntries(levels)).toEqual({ [near]: 'FATAL', [grouped]: 'MIDDLE', [plain]: 'GENERAL' });
  });

  it('a new one is tried as it would count after saving', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    await create({ scope: { type: 'groups', ids: [await group('Upstairs', [ap!])] } });
    const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * minute);
    await query('update device set first_seen = $2 where serial = $1', [ap, ago(1440)]);
    await query(
      `insert into device_outage (account_id, serial, began_at, ended_at, cause) values ($1, $2, $3, $4, 'link')`,
      [owner.accountId, ap, ago(60), ago(50)],
    );
    const own = { ...rule({ tolerance: 300, ...ofNetworks(gwid) }), fresh: true };
    expect(await call<Simulation>('alarm_rule/simulate', own)).toMatchObject({ alarms: 1 });
    const id = await create({ tolerance: 300, ...ofNetworks(gwid) });
    const saved = rule({ id, tolerance: 300, ...ofNetworks(gwid) });
    expect(await call<Simulation>('alarm_rule/simulate', saved)).toMatchObject({ alarms: 1 });
  });

  it('a disabled one exempts its network, and its deletion gives it back to the main rule', async () => {
    await start();
    const [ap] = await devices('ap', 2);
    const id = await create({ enabled: false, ...ofNetworks(gwid) });
    await lose([ap!]);
    await pass(8);
    expect(await list()).toEqual([]);
    await call('alarm_rule/delete', { id });
    await pass(1);
    expect(await list()).toMatchObject([{ serial: ap, kind: 'ap_offline', level: 'MIDDLE' }]);
    await back([ap!]);
  });

  it('an alarm names the one that counts for its object', async () => {
    await start();
    const other = await network('East-Gate');
    const [grouped, plain] = (await devices('ap', 3, other)) as [string, string, string];
    const [near] = (await devices('ap', 3)) as [string, string, string];
    const scope = { type: 'groups', ids: [await group('Upstairs', [grouped])] };
    const [ofGroup, ofNetwork] = [await create({ scope }), await create(ofNetworks(gwid))];
    await lose([grouped, plain, near]);
    await pass(6);
    const ruleOf = async ({ id }: { id: string }) =>
      (await call<DataOf<typeof alarms.get>>('alarm/detail', { id })).rule_id;
    const found = new Map<string | null, string | null>();
    for (const one of await list()) found.set(one.serial, await ruleOf(one));
    expect(Object.fromEntries(found)).toEqual({ [grouped]: ofGroup, [plain]: null, [near]: ofNetwork });
  });

  it('of several created or deleted at once for a network, one is', async () => {
    await start();
    const five = Array.from({ length: 5 });
    const made = await Promise.all(
      five.map(() => server.call<{ id: string }>('/api/v3/alarm_rule/create', rule(ofNetworks(gwid)), owner)),
    );
    expect(made.map(({ code }) => code).toSorted()).toEqual([2000, 422, 422, 422, 422]);
    const { id } = made.find(({ code }) => code === 2000)!.data;
    const gone = await Promise.all(five.map(() => server.call('/api/v3/alarm_rule/delete', { id }, owner)));
    expect(gone.map(({ code }) => code).toSorted()).toEqual([2000, 4113, 4113, 4113, 4113]);
  });

  it('restored together do not share a network, and do not exceed the limit', async () => {
    await start();
    const fresh = (ids: readonly string[]) => ({
      rule: { ...rule(ofNetworks(...ids)).rule, id: newId() },
      preset: null,
    });
    const restore = (...rules: object[]) => server.call('/api/v3/alarm_rule/restore', { rules }, owner);
    expect(await restore(fresh([gwid]), fresh([gwid]))).toMatchObject({ code: 422 });
    expect(await rules('ap_offline')).toHaveLength(1);
    await query(
      `insert into alarm_rule (account_id, id, main, kind, enabled, level, tolerance_s, scope, scope_ids)
       select $1, gen_random_uuid(), false, 'wan_down', true, 'FATAL', 60, 'networks', array[gen_random_uuid()]
       from generate_series(1, $2)`,
      [owner.accountId, alarms.alarmLimits.rules],
    );
    expect(await restore(fresh([gwid]))).toMatchObject({ code: 4106 });
    expect(await rules('ap_offline')).toHaveLength(1);
  });

  it('each has its own threshold', async () => {
    await start();
    const other = await network('East-Gate');
    const [[strict], [usual]] = [await devices('ap', 1), await devices('ap', 1, other)];
    await create({ kind: 'memory_high', threshold: 60, tolerance: 0, ...ofNetworks(gwid) });
    for (let passed = 0; passed < 16; passed += 4) {
      await insertSamples(
        server.db.database,
        [strict!, usual!].map((serial) => ({
          ...quiet,
          account_id: owner.accountId,
          serial,
          at: clock.now(),
          mem: 70,
          gwid: serial === strict ? gwid : other,
        })),
      );
      await pass(4);
    }
    expect(await list()).toMatchObject([{ kind: 'memory_high', serial: strict, value: 70, threshold: 60 }]);
  });

  it('each is tested against the past of its own places', async () => {
    await start();
    const other = await network('East-Gate');
    const [[here], [there]] = [await devices('ap', 2), await devices('ap', 2, other)];
    await query('update device set first_seen = $2 where account_id = $1', [
      owner.accountId,
      new Date(clock.now().getTime() - 1440 * minute),
    ]);
    for (const [serial, minutes] of [
      [here, 10],
      [there, 10],
      [there, 30],
    ] as const) {
      const began = new Date(clock.now().getTime() - minutes * 20 * minute);
      await query(
        `insert into device_outage (account_id, serial, began_at, ended_at, cause) values ($1, $2, $3, $4, 'link')`,
        [owner.accountId, serial, began, new Date(began.getTime() + minutes * minute)],
      );
    }
    const simulate = (more: object) => call<Simulation>('alarm_rule/simulate', rule({ tolerance: 300, ...more }));
    expect(await simulate({})).toMatchObject({ alarms: 3 });
    // as if added
    expect(await simulate({ id: null })).toMatchObject({ alarms: 3 });
    const id = await create({ tolerance: 1200, ...ofNetworks(other) });
    expect(await simulate({})).toMatchObject({ alarms: 1, networks: [{ gwid, alarms: 1 }] });
    expect(await simulate({ id, tolerance: 1200, ...ofNetworks(other) })).toMatchObject({ alarms: 1 });
    expect(await simulate({ id, tolerance: 60, ...ofNetworks(other) })).toMatchObject({
      networks: [{ gwid: other, alarms: 2 }],
    });
  });
});

describe('a rule for some networks', () => {
  it('is added, changed, deleted and undone, each with its log row', async () => {
    await start();
    const id = await create({ tolerance: 77, ...ofNetworks(gwid) });
    expect(await rules('ap_offline')).toMatchObject([
      { rule: { id: null, tolerance: 300 } },
      { rule: { id, tolerance: 77, ...ofNetworks(gwid) } },
    ]);
    await call('alarm_rule/save', rule({ id, tolerance: 99, ...ofNetworks(gwid) }));
    await call('alarm_rule/delete', { id });
    expect(await rules('ap_offline')).toHaveLength(1);
    const { list: log } = await call<{ list: { seq: number; action: string }[] }>('log/action/list', { limit: 3 });
    expect(log.map(({ action }) => action)).toEqual(['alarm.rule_delete', 'alarm.rule', 'alarm.rule_create']);
    await call('log/action/undo', { seq: log[0]!.seq });
    expect(await rules('ap_offline')).toMatchObject([{ rule: { id: null } }, { rule: { id, tolerance: 99 } }]);
  });

  it('keeps its values when a preset is applied', async () => {
    await start();
    const id = await create({ tolerance: 77, ...ofNetworks(gwid) });
    await call('alarm_rule/preset/apply', { preset: 'quiet' });
    expect(await rules('ap_offline')).toMatchObject([{ rule: { tolerance: 1800 } }, { rule: { id, tolerance: 77 } }]);
  });

  it('shares no network with another of its kind, and names some', async () => {
    await start();
    await create(ofNetworks(gwid));
    const refused = (path: string, more: object) => server.call(`/api/v3/alarm_rule/${path}`, rule(more), owner);
    const wrong = { errors: { 'rule.scope': [expect.any(String)] } };
    expect(await refused('create', ofNetworks(gwid))).toMatchObject(wrong);
    expect(await refused('create', {})).toMatchObject(wrong);
    expect(await refused('save', ofNetworks(gwid))).toMatchObject(wrong);
    expect(await refused('save', { id: owner.accountId, ...ofNetworks(gwid) })).toMatchObject({
      errors: { 'rule.id': [expect.any(String)] },
    });
    expect((await refused('create', { kind: 'switch_offline', ...ofNetworks(gwid) })).code).toBe(2000);
  });

  it('goes with its last network', async () => {
    await start();
    const other = await network('East-Gate');
    await create(ofNetworks(gwid));
    await create({ kind: 'switch_offline', ...ofNetworks(gwid, other) });
    await call('network/unbind', { gwid });
    expect(await rules('ap_offline')).toHaveLength(1);
    expect(await rules('switch_offline')).toMatchObject([{}, { rule: ofNetworks(other) }]);
  });
});
