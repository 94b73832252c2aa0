import type { alarms as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../platform/database/index.ts';
import {
  back,
  call,
  clock,
  devices,
  gwid,
  list,
  lose,
  minute,
  owner,
  pass,
  query,
  signInAgain,
  start,
  startFixture,
  stopFixture,
} from './testing/fixture.ts';

beforeAll(startFixture);
afterAll(stopFixture);

const curveOf = async (id: string) => (await call<DataOf<typeof contract.metric>>('alarm/metric', { id })).curve;

it('an alarm shows the curve of its metric against its threshold', async () => {
  await start();
  const [hot] = await devices('ap', 1);
  const report = (temperature: number) =>
    query(
      `insert into device_sample (account_id, serial, at, gwid, restarted, mem, util_5g, temperature, wan_down, wan_up, house_wan,
         down_2g, up_2g, down_5g, up_5g, down_6g, up_6g, weak, rssi_sum, rssi_n, rate_sum, rate_n, tx_packets, tx_retries, tx_failed)
       values ($1, $2, $3, $4, false, 20, 5, $5, 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0)`,
      [owner.accountId, hot, clock.now(), gwid, temperature],
    );
  await report(60);
  clock.advance(20 * minute);
  for (let passed = 0; passed < 24; passed += 4) {
    await report(99);
    await pass(4);
  }
  const [alarm] = await list();
  expect(alarm).toMatchObject({ kind: 'temperature_high', threshold: 90 });
  const curve = (await curveOf(alarm!.id))!;
  expect(curve).toMatchObject({ step: 300, threshold: 90 });
  const notified = curve.values.filter((value) => value !== null);
  expect([notified[0], notified.at(-1)]).toEqual([60, 99]);
  expect(curve.values).toContain(null);
});

it('an alarm without a stored history has no curve', async () => {
  await start();
  const [ap] = await devices('ap', 2);
  await lose([ap!]);
  await pass(6);
  expect(await curveOf((await list())[0]!.id)).toBeNull();
});

it('alarms are found by their assignee', async () => {
  await start();
  const aps = await devices('ap', 3);
  await lose(aps.slice(0, 2));
  await pass(6);
  const [first] = await list();
  const { list: people } = await call<DataOf<typeof contract.people>>('alarm/people');
  expect(people[0]).toMatchObject({ id: owner.userId });
  await call('alarm/acknowledge', { ids: [first!.id], assignee: people[0]!.id });
  expect(await list({ assignee: owner.userId })).toMatchObject([{ id: first!.id, assignee: people[0] }]);
  expect(await list({ assignee: newId() })).toEqual([]);
  await call('alarm/acknowledge', { ids: [first!.id], assignee: null });
  expect(await list({ assignee: owner.userId })).toEqual([]);
});

it('an alarm shows earlier ones of its kind about the same device, and how they ended', async () => {
  await start();
  const [one, other] = await devices('ap', 3);
  const outage = async (serials: string[], minutes: number) => {
    await lose(serials);
    await pass(minutes);
    await back(serials);
    await pass(12);
  };
  await outage([one!], 8);
  await outage([other!], 8);
  await lose([one!]);
  await pass(6);
  const [second] = await list();
  await call('alarm/resolve', { ids: [second!.id], note: 'new cable' });
  await back([one!]);
  await pass(12);
  await lose([one!]);
  await pass(6);
  const [latest] = await list();
  const similar = await call<DataOf<typeof contract.similar>>('alarm/similar', { id: latest!.id });
  expect(similar.total).toBe(2);
  expect(similar.list).toMatchObject([
    { id: second!.id, end: 'resolved', note: 'new cable', person: expect.any(String) },
    { end: 'recovered', person: null, seconds: 8 * 60 },
  ]);
  await signInAgain();
  await query("update alarm set began_at = began_at - interval '31 days' where id <> $1", [latest!.id]);
  expect((await call<DataOf<typeof contract.similar>>('alarm/similar', { id: latest!.id })).list).toEqual([]);
});
