import type { alarms as alarmContract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../platform/database/index.ts';
import {
  call,
  clock,
  detail,
  devices,
  gwid,
  list,
  minute,
  owner,
  pass,
  query,
  server,
  start,
  startFixture,
  stopFixture,
} from '../../alarms/testing/fixture.ts';

beforeAll(startFixture);
afterAll(stopFixture);

type Outcome = DataOf<typeof alarmContract.get>['power'];

const macOf = (number: number) => `001b2100006${number}`;

/** A PoE switch with a camera on each port, and a gateway that probes them. */
async function site(cameras = 1) {
  await start();
  const [gateway] = await devices('gateway', 1);
  const [sw] = await devices('switch', 1);
  const watch = { yunxun: { abilities: { watch: true } } };
  await query('update device set capabilities = $2 where serial = $1', [gateway, JSON.stringify(watch)]);
  await query(`update device set platform = 'switch', capabilities = '{"platform": "switch"}' where serial = $1`, [sw]);
  const ids: string[] = [];
  for (let number = 1; number <= cameras; number += 1) {
    const given = { gwid, name: `Camera-${number}`, type: 'camera', ip: `192.168.1.6${number}`, mac: macOf(number) };
    const more = { mode: 'icmp', detect_port: null, web_port: null, shell_port: null };
    ids.push((await call<{ id: string }>('peripheral/create', { ...given, ...more })).id);
    await query(
      `insert into reported_port (account_id, serial, name, speed, top_speed, duplex, poe) values ($1, $2, $3, 100, 100, 'full', true)`,
      [owner.accountId, sw, `Ethernet${number}`],
    );
  }
  const report = async (tables: Record<string, string[]>) => {
    const ports = Object.keys(tables).map((name) => ({ name, up: false, carrier: true, speed: 100 }));
    const links = JSON.stringify({ lldp: [], ports, macs: tables, own: [] });
    await query('update device_latest set links = $2, links_at = $3 where serial = $1', [sw, links, clock.now()]);
  };
  await report(Object.fromEntries(ids.map((_id, at) => [`Ethernet${at + 1}`, [macOf(at + 1)]])));
  const lost = (id: string) =>
    query('insert into peripheral_outage values ($1, $2, $3, null)', [owner.accountId, id, clock.now()]);
  const found = (id: string) =>
    query('update peripheral_outage set ended_at = $2 where peripheral_id = $1', [id, clock.now()]);
  await pass(1);
  return { sw: sw!, ids, lost, found, report };
}

const allow = (more: object = {}) =>
  call('peripheral/power/save', { gwid, enabled: true, types: ['camera'], version: 0, ...more });

/** Runs the task of every minute. */
async function look(): Promise<void> {
  const { systemPool } = server.db.database;
  const key = `test-${newId()}`;
  await systemPool.query("select graphile_worker.add_job('peripherals-watch', job_key => $1)", [key]);
  await expect
    .poll(async () => (await systemPool.query('select 1 from graphile_worker.jobs where key = $1', [key])).rows)
    .toEqual([]);
}

async function wait(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    await pass(1);
    await look();
  }
}

const cycles = async () => {
  const { systemPool } = server.db.database;
  const { rows } = await systemPool.query<{ after: { port: string; peripheral: string }; source: string }>(
    `select after, source from operation_log where account_id = $1 and action = 'device.port.cycle' order by seq`,
    [owner.accountId],
  );
  return rows.map(({ after, source }) => `${source} ${after.port} ${after.peripheral}`);
};

async function outcome(id: string): Promise<{ state: string; reason: string | null } | undefined> {
  const { systemPool } = server.db.database;
  const { rows } = await systemPool.query(
    'select state, reason from peripheral_power_cycle where peripheral_id = $1 order by began_at desc',
    [id],
  );
  return rows[0];
}

it('restarts the port of a dead camera once, and alarms when it does not come back', async () => {
  const { sw, ids, lost, report } = await site();
  await call('alarm_rule/save', {
    rule: {
      kind: 'peripheral_offline',
      enabled: true,
      level: 'MIDDLE',
      tolerance: 60,
      threshold: null,
      scope: { type: 'all', ids: [] },
    },
  });
  await allow();
  await look();
  await report({ Ethernet1: [] });
  await lost(ids[0]!);
  await look();
  await wait(2);
  expect(await cycles()).toEqual(['system Ethernet1 Camera-1']);
  await wait(4);
  expect(await list()).toEqual([]);
  await wait(2);
  const [alarm] = await list();
  expect(alarm).toMatchObject({ kind: 'peripheral_offline', part: 'Camera-1', value: 1 });
  const { power } = (await detail(alarm!.id)) as { power: Outcome };
  expect(power).toMatchObject({ state: 'failed', serial: sw, switch: 'switch-1', port: 'Ethernet1' });
  await wait(20);
  expect(await cycles()).toHaveLength(1);
});

it('opens no alarm for a camera that comes back, and restarts a port once a day', async () => {
  const { ids, lost, found } = await site();
  await allow();
  await look();
  await lost(ids[0]!);
  await look();
  await wait(3);
  await found(ids[0]!);
  await wait(12);
  expect(await list()).toEqual([]);
  expect(await outcome(ids[0]!)).toMatchObject({ state: 'returned' });
  await lost(ids[0]!);
  await look();
  await wait(3);
  expect(await outcome(ids[0]!)).toEqual({ state: 'skipped', reason: 'recent' });
  expect(await cycles()).toHaveLength(1);
  await wait(9);
  const [alarm] = await list();
  expect(((await detail(alarm!.id)) as { power: Outcome }).power).toMatchObject({ state: 'skipped', reason: 'recent' });
});

it('does nothing while the rule is off, and alarms as usual', async () => {
  const { ids, lost } = await site();
  await look();
  await lost(ids[0]!);
  await wait(11);
  expect(await list()).toMatchObject([{ kind: 'peripheral_offline', value: null }]);
  expect(await cycles()).toEqual([]);
});

it('restarts no uplink, no port with other devices, and none of a type that was not chosen', async () => {
  const { sw, ids, lost, report } = await site(3);
  await query(`update reported_port set uplink = true where serial = $1 and name = 'Ethernet1'`, [sw]);
  await query(`update peripheral set type = 'printer' where id = $1`, [ids[2]]);
  await allow();
  await look();
  await report({ Ethernet1: [macOf(1)], Ethernet2: [macOf(2), '0200000000aa'], Ethernet3: [macOf(3)] });
  for (const id of ids) await lost(id);
  await look();
  await wait(3);
  expect(await outcome(ids[0]!)).toEqual({ state: 'skipped', reason: 'uplink' });
  expect(await outcome(ids[1]!)).toEqual({ state: 'skipped', reason: 'shared' });
  expect(await outcome(ids[2]!)).toBeUndefined();
  expect(await cycles()).toEqual([]);
});

it('restarts nothing when more than three ports of a switch go down at once', async () => {
  const { ids, lost } = await site(4);
  await allow();
  await look();
  for (const id of ids) await lost(id);
  await look();
  await wait(3);
  for (const id of ids) expect(await outcome(id)).toEqual({ state: 'skipped', reason: 'many' });
  expect(await cycles()).toEqual([]);
});

it('waits for the end of maintenance', async () => {
  const { ids, lost } = await site();
  await allow();
  await look();
  const from = new Date(clock.now().getTime() - minute).toISOString();
  const to = new Date(clock.now().getTime() + 20 * minute).toISOString();
  await query(
    `insert into network_maintenance (account_id, id, gwid, begins_at, ends_at, note, person, created_at) values ($1, $2, $3, $4, $5, '', 'test', $4)`,
    [owner.accountId, newId(), gwid, from, to],
  );
  await lost(ids[0]!);
  await look();
  await wait(15);
  expect(await outcome(ids[0]!)).toMatchObject({ state: 'waiting' });
  expect(await cycles()).toEqual([]);
  await wait(8);
  expect(await cycles()).toHaveLength(1);
});

it('is saved over the version that was read', async () => {
  await site(0);
  await allow();
  expect(await call('peripheral/power', { gwid })).toEqual({ enabled: true, types: ['camera'], version: 1 });
  const late = await server.call(
    '/api/v3/peripheral/power/save',
    { gwid, enabled: false, types: ['camera'], version: 0 },
    owner,
  );
  expect(late).toMatchObject({ code: 4104, data: { version: 1 } });
});
