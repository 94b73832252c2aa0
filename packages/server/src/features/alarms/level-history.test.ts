import type { alarmBacktest, alarms as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePartitions } from '../../telemetry/partitions.ts';
import { createRollups } from '../../telemetry/rollups.ts';
import { insertSamples, quiet, type Sample } from '../../telemetry/testing/samples.ts';
import {
  call,
  clock,
  devices,
  gwid,
  list,
  minute,
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

beforeAll(startFixture);
afterAll(stopFixture);

const simulate = (kind: string, threshold: number) =>
  call<Simulation>('alarm_rule/simulate', rule({ kind, threshold, tolerance: 600 }));

async function pools(...each: readonly number[]): Promise<void> {
  const networks = each.map((count, n) => ({
    name: `lan${n}`,
    address: `192.168.${n + 1}.1/24`,
    vlan: null,
    ports: [],
    tagged: [],
    leases: [],
    pool: { first: `192.168.${n + 1}.100`, count, lease_minutes: 60 },
  }));
  await query(
    `insert into gateway_intent (account_id, gwid, version, intent, updated_at, updated_by) values ($1, $2, 1, $3, $4, 'x')
     on conflict (account_id, gwid) do update set intent = excluded.intent`,
    [owner.accountId, gwid, JSON.stringify({ networks }), clock.now()],
  );
}

const bad: Partial<Sample> = { load1: 6, temperature: 97, wan_latency: 400, wan_loss: 30, leases: 49 };
const good: Partial<Sample> = { load1: 0.2, temperature: 50, wan_latency: 12, wan_loss: 0, leases: 10 };

/** Reports of two hours, half an hour of them bad, ending now. */
async function reportTwoHours(serial: string): Promise<void> {
  const begin = Math.floor(clock.now().getTime() / (60 * minute)) * 60 * minute - 180 * minute;
  await makePartitions(server.db.database, new Date(begin - 1440 * minute), clock.now());
  const samples = Array.from({ length: 120 }, (_, n) => ({
    ...quiet,
    account_id: owner.accountId,
    serial,
    gwid,
    at: new Date(begin + n * minute),
    ...(n >= 30 && n < 60 ? bad : good),
  }));
  await insertSamples(server.db.database, samples);
}

it('load, temperature, WANs and a DHCP pool are tested against rolled-up history', async () => {
  await start();
  const [gateway] = await devices('gateway', 1);
  await query('update device set first_seen = $2 where serial = $1', [
    gateway,
    new Date(clock.now().getTime() - 1440 * minute),
  ]);
  await pools(50);
  await reportTwoHours(gateway!);
  await createRollups({ ...server.db, clock }).run();
  await query('delete from device_sample where serial = $1', [gateway]);
  for (const [kind, threshold, higher] of [
    ['load_high', 4, 7],
    ['temperature_high', 90, 100],
    ['wan_latency_high', 150, 500],
    ['wan_loss_high', 10, 40],
    ['dhcp_pool_low', 90, 99],
  ] as const) {
    const found = await simulate(kind, threshold);
    expect(found, kind).toMatchObject({ tested: true, step: 300, alarms: 1, longest: { serial: gateway } });
    expect(found.longest!.seconds).toBeGreaterThanOrEqual(1500);
    expect(await simulate(kind, higher), kind).toMatchObject({ tested: true, alarms: 0 });
  }
  // the leases of two pools cannot be told apart
  await pools(50, 50);
  expect(await simulate('dhcp_pool_low', 90)).toMatchObject({ alarms: 0 });
});

it('a device with a high load is an alarm with its curve', async () => {
  await start();
  const [ap] = await devices('ap', 2);
  for (let passed = 0; passed < 32; passed += 4) {
    await insertSamples(server.db.database, [
      { ...quiet, account_id: owner.accountId, serial: ap!, gwid, at: clock.now(), load1: 5.5 },
    ]);
    await pass(4);
  }
  const [alarm, ...others] = await list();
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({ kind: 'load_high', serial: ap, value: 5.5, threshold: 4, level: 'GENERAL' });
  const { curve } = await call<DataOf<typeof contract.metric>>('alarm/metric', { id: alarm!.id });
  expect(curve?.values.filter((value) => value !== null)).toContain(5.5);
});
