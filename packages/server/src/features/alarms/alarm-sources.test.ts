import type { alarmBacktest, alarmRules as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../platform/database/index.ts';
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
  signInAgain,
  start,
  startFixture,
  stopFixture,
} from './testing/fixture.ts';

beforeAll(startFixture);
afterAll(stopFixture);

const edge = (serial: string, reported: object) =>
  query('update device_latest set edge = $2, at = $3 where serial = $1', [
    serial,
    JSON.stringify({ lines: [], ...reported }),
    clock.now(),
  ]);
const open = async () =>
  (await list({ limit: 50 })).map(({ kind, part, value, level }) => ({ kind, part, value, level }));
const event = (serial: string, type: string, payload: object, at = clock.now()) =>
  query('insert into device_event (account_id, serial, id, at, type, payload) values ($1, $2, $3, $4, $5, $6)', [
    owner.accountId,
    serial,
    newId(),
    at,
    type,
    JSON.stringify(payload),
  ]);

/** Repeats a device's report for minutes. */
async function passSaying(minutes: number, say: () => Promise<unknown>): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 4) {
    await say();
    await pass(Math.min(4, minutes - passed));
  }
}

describe('a WAN', () => {
  it('is an alarm for its latency and its loss, and none of both while it is down', async () => {
    await start();
    const [gateway] = await devices('gateway', 1);
    const lines = [
      { interface: 'far', alive: true, latency_ms: 180, loss_pct: 0 },
      { interface: 'bad', alive: true, latency_ms: 9, loss_pct: 25 },
      { interface: 'cut', alive: false, latency_ms: null, loss_pct: 100 },
    ];
    await passSaying(12, () => edge(gateway!, { lines }));
    expect((await open()).toSorted((a, b) => a.part.localeCompare(b.part))).toEqual([
      { kind: 'wan_loss_high', part: 'bad', value: 25, level: 'GENERAL' },
      { kind: 'wan_down', part: 'cut', value: null, level: 'MIDDLE' },
      { kind: 'wan_latency_high', part: 'far', value: 180, level: 'GENERAL' },
    ]);
    await edge(gateway!, { lines: [{ interface: 'far', alive: true, latency_ms: 20, loss_pct: 0 }] });
    await pass(1);
    expect(await open()).toEqual([]);
  });
});

describe('a gateway', () => {
  it('is an alarm for full storage, a DHCP pool that runs out, and an SD-WAN without a tunnel', async () => {
    await start();
    const [gateway] = await devices('gateway', 1);
    const network = { name: 'office', address: '192.168.1.1/24', vlan: null, ports: [], tagged: [] };
    const pool = { first: '192.168.1.100', count: 50, lease_minutes: 60 };
    const leases = [{ mac: '001b21000001', address: '192.168.1.5', note: '' }];
    await query(
      `insert into gateway_intent (account_id, gwid, version, intent, updated_at, updated_by) values ($1, $2, 1, $3, $4, 'x')`,
      [owner.accountId, gwid, JSON.stringify({ networks: [{ ...network, pool, leases }] }), clock.now()],
    );
    const sdwan = newId();
    await query(
      `insert into sdwan_network (account_id, id, name, type, mode, created_at) values ($1, $2, 'Chain', 1, 'vertical', $3)`,
      [owner.accountId, sdwan, clock.now()],
    );
    const observe = (used: number, up: number, free: number) =>
      edge(gateway!, {
        leases: [{ subnet: '192.168.1.1/24', count: used }],
        sdwan: [{ id: sdwan, tunnels: 2, up }],
        disk: { total: 1000, free },
      });
    await passSaying(12, () => observe(45, 1, 400));
    expect(await open()).toEqual([]);
    await passSaying(12, () => observe(47, 0, 50));
    expect((await open()).toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      { kind: 'dhcp_pool_low', part: 'office', value: 92, level: 'MIDDLE' },
      { kind: 'sdwan_down', part: 'Chain', value: null, level: 'FATAL' },
      { kind: 'storage_low', part: '', value: 95, level: 'MIDDLE' },
    ]);
    await observe(10, 2, 500);
    await pass(1);
    expect(await open()).toEqual([]);
  });
});

describe('an SD-WAN without a tunnel', () => {
  it('is under the WAN with which its tunnels went down, and an alarm of its own if it stays', async () => {
    await start();
    const [gateway] = await devices('gateway', 1);
    const sdwan = newId();
    await query(
      `insert into sdwan_network (account_id, id, name, type, mode, created_at) values ($1, $2, 'Chain', 1, 'vertical', $3)`,
      [owner.accountId, sdwan, clock.now()],
    );
    const observe = (alive: boolean, up: number) =>
      edge(gateway!, {
        lines: [{ interface: 'wan', alive, latency_ms: 9, loss_pct: 0 }],
        leases: [],
        sdwan: [{ id: sdwan, tunnels: 2, up }],
      });
    await passSaying(4, () => observe(true, 2));
    await passSaying(8, () => observe(false, 0));
    const [wan, ...others] = await list();
    expect({ wan, others }).toMatchObject({ wan: { kind: 'wan_down', part: 'wan' }, others: [] });
    expect((await detail(wan!.id)).children).toMatchObject([{ kind: 'sdwan_down', part: 'Chain' }]);
    await passSaying(8, () => observe(true, 0));
    expect(await open()).toMatchObject([{ kind: 'sdwan_down', part: 'Chain' }]);
  });
});

describe('the portal of a network', () => {
  it('is an alarm while many sign-ins fail', async () => {
    await start();
    await query(
      `insert into portal_site (account_id, gwid, enabled, gateway, key, secret) values ($1, $2, true, 'uam', $3, '')`,
      [owner.accountId, gwid, newId()],
    );
    const visits = (count: number, failure: string | null) =>
      query(
        `insert into portal_visit (account_id, id, gwid, at, failure)
         select $1, gen_random_uuid(), $2, $3, $4 from generate_series(1, $5)`,
        [owner.accountId, gwid, clock.now(), failure, count],
      );
    await visits(19, 'rejected');
    await visits(30, null);
    await pass(6);
    expect(await open()).toEqual([]);
    await visits(1, 'rejected');
    await pass(6);
    expect(await list()).toMatchObject([
      { kind: 'portal_failed', serial: null, gwid, name: 'West-Lake', value: 20, threshold: 20, level: 'GENERAL' },
    ]);
    await pass(31);
    expect(await open()).toEqual([]);
  });
});

describe('events of devices', () => {
  it('are one alarm while they follow each other', async () => {
    await start();
    const [ap, gateway] = [(await devices('ap', 1))[0]!, (await devices('gateway', 1))[0]!];
    const sdwan = newId();
    await query(
      `insert into sdwan_network (account_id, id, name, type, mode, created_at) values ($1, $2, 'Chain', 1, 'vertical', $3)`,
      [owner.accountId, sdwan, clock.now()],
    );
    await event(ap, 'crashlog', { type: 'crashlog', info: ['Oops'] });
    await event(ap, 'rebootLog', { type: 'console', info: [] });
    await event(gateway, 'sdwan.path', { network: sdwan, from: 'wg0', to: 'wg1', prefixes: [] });
    await event(gateway, 'sdwan.path', { network: newId(), from: 'a', to: 'b', prefixes: [] });
    await pass(2);
    const began = (await list()).map(({ kind, part }) => `${kind} ${part}`.trim()).toSorted();
    expect(began).toEqual(['device_crashed', 'sdwan_path_changed Chain']);
    await event(gateway, 'sdwan.path', { network: sdwan, from: 'wg1', to: 'wg0', prefixes: [] });
    clock.advance(57 * minute);
    await pass(1);
    expect(await list({ state: 'firing' })).toHaveLength(2);
    clock.advance(5 * minute);
    await pass(1);
    expect(await list({ state: 'all', kind: 'sdwan_path_changed' })).toMatchObject([{ state: 'recovered', count: 1 }]);
    clock.advance(23 * 60 * minute);
    await pass(1);
    await signInAgain();
    expect(await list({ state: 'all', kind: 'device_crashed' })).toMatchObject([{ state: 'recovered', count: 1 }]);
  });

  it('are no alarm of a path if the console restarted its other end', async () => {
    await start();
    const far = await network('East-Lake');
    const [near, other] = [(await devices('gateway', 1))[0]!, (await devices('gateway', 1, far))[0]!];
    const sdwan = newId();
    await query(
      `insert into sdwan_network (account_id, id, name, type, mode, created_at) values ($1, $2, 'Chain', 1, 'vertical', $3)`,
      [owner.accountId, sdwan, clock.now()],
    );
    const candidates = [{ interface: 'wg0', probe: '100.64.0.1' }];
    const node = (where: string, address: number, document: object | null) =>
      query(
        `insert into sdwan_node (account_id, network_id, gwid, role, pid, position, widthband, foreign_widthband, lans,
           address, slot, document) values ($1, $2, $3, '', '', 0, 0, 0, '[]', $4, 0, $5)`,
        [owner.accountId, sdwan, where, address, document && JSON.stringify(document)],
      );
    await node(gwid, 2, { routes: [{ prefix: '10.9.0.0/24', candidates }] });
    await node(far, 1, null);
    const changes = (from: string, to: string) =>
      event(near, 'sdwan.path', { network: sdwan, from, to, prefixes: ['10.9.0.0/24'] });
    await query('update device set restarting_since = $2 where serial = $1', [other, clock.now()]);
    await changes('wg0', 'wg1');
    await pass(1);
    await lose([other], { restarting: true });
    await pass(4);
    await back([other], 'planned');
    await changes('wg1', 'wg0');
    await pass(3);
    expect(await list({ state: 'all' })).toEqual([]);
    clock.advance(20 * minute);
    await changes('wg0', 'wg1');
    await pass(2);
    expect(await list({ state: 'firing' })).toMatchObject([{ kind: 'sdwan_path_changed', serial: near, count: 1 }]);
  });

  it('are tested against their own past', async () => {
    await start();
    const [ap] = await devices('ap', 1);
    await query('update device set first_seen = $2 where serial = $1', [
      ap,
      new Date(clock.now().getTime() - 20 * 86_400_000),
    ]);
    for (const days of [10, 9.5, 4])
      await event(ap!, 'crashlog', {}, new Date(clock.now().getTime() - days * 86_400_000));
    const tested = await call<DataOf<typeof alarmBacktest.simulate>>(
      'alarm_rule/simulate',
      rule({ kind: 'device_crashed', tolerance: 0 }),
    );
    expect(tested).toMatchObject({ tested: true, alarms: 2, notices: 4 });
    for (const kind of ['port_slow', 'sdwan_down', 'backup_overdue'])
      expect(await call('alarm_rule/simulate', rule({ kind }))).toMatchObject({ tested: false, alarms: 0 });
  });
});

describe('a port', () => {
  it('that runs at 100 Mbit/s is an alarm if it ran faster before', async () => {
    await start();
    const serials = await devices('switch', 2);
    const report = (speeds: [lan1: number, lan2: number], carrier = true) =>
      query('update device_latest set links = $2, links_at = $3, at = $3 where serial = any($1)', [
        serials,
        JSON.stringify({ ports: speeds.map((speed, n) => ({ name: `lan${n + 1}`, up: false, carrier, speed })) }),
        clock.now(),
      ]);
    await report([1000, 100]);
    const { systemPool } = server.db.database;
    await systemPool.query("select graphile_worker.add_job('port-speeds', job_key => 'test-speeds')");
    const speeds = () => query('select port_speeds from device_latest where serial = any($1)', [serials]);
    const day = clock.now().toISOString().slice(0, 10);
    await expect
      .poll(async () => (await speeds()).rows)
      .toEqual(serials.map(() => ({ port_speeds: { lan1: { speed: 1000, day } } })));
    await report([100, 100]);
    await pass(12);
    expect((await list()).map(({ kind, part, value }) => ({ kind, part, value }))).toEqual(
      serials.map(() => ({ kind: 'port_slow', part: 'lan1', value: 100 })),
    );
    await report([1000, 100]);
    await pass(1);
    expect(await list()).toEqual([]);
  });
});

describe('a certificate', () => {
  it('is an alarm before it expires, and not if the device has a newer one', async () => {
    await start();
    const [old, renewed] = await devices('ap', 2);
    const issue = (serial: string, days: number) =>
      query(
        `insert into device_certificate (account_id, fingerprint, serial, ours, issued_at, expires_at)
         values ($1, $2, $3, true, $4, $5)`,
        [owner.accountId, newId(), serial, clock.now(), new Date(clock.now().getTime() + days * 86_400_000)],
      );
    await issue(old!, 20);
    await issue(renewed!, 20);
    await issue(renewed!, 300);
    await pass(1);
    const [alarm, ...others] = await list();
    expect(alarm).toMatchObject({ kind: 'certificate_expiring', serial: old, value: 19, threshold: 30 });
    expect(others).toEqual([]);
    await issue(old!, 300);
    await pass(1);
    expect(await list()).toEqual([]);
  });
});

describe('an overdue backup', () => {
  it('is an alarm of its network', async () => {
    await start();
    await query('insert into missed_backup values ($1, $2, $3)', [owner.accountId, gwid, clock.now()]);
    await pass(1);
    expect(await list()).toEqual([]);
    clock.advance(3 * 60 * minute);
    await pass(1);
    expect(await list()).toMatchObject([{ kind: 'backup_overdue', serial: null, gwid, name: 'West-Lake' }]);
    await query('delete from missed_backup where gwid = $1', [gwid]);
    await pass(1);
    expect(await list()).toEqual([]);
    const scoped = rule({ kind: 'backup_overdue', scope: { type: 'groups', ids: [newId()] } });
    expect(await server.call('/api/v3/alarm_rule/save', scoped, owner)).toMatchObject({
      errors: { 'rule.scope': [expect.any(String)] },
    });
  });
});

it('kinds without a source are listed, and have no rule', async () => {
  await start();
  const { list: rules, without_source: sourceless } = await call<DataOf<typeof contract.list>>('alarm_rule/list');
  expect(sourceless).toEqual(['licence_expiring']);
  expect(rules.map(({ rule: { kind } }) => kind)).not.toContain('licence_expiring');
  const saved = await server.call('/api/v3/alarm_rule/save', rule({ kind: 'licence_expiring' }), owner);
  expect(saved.code).toBe(422);
});
