import type { statistics as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInAgain } from '../../../test/seed-account.ts';
import { makeTelemetry, type Telemetry } from '../../../test/seed-statistics.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { createRollups } from '../../telemetry/rollups.ts';
import { createClosing } from './daily-close.ts';

const clock = new ManualClock(new Date('2026-11-21T04:30:00Z'));
let server: TestServer;
let owner: Registered;
let telemetry: Telemetry;
let gwid: string;
let [router, behind] = ['', ''];

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  telemetry = await makeTelemetry(server, owner, clock);
  gwid = await telemetry.network('Cafe');
  router = await telemetry.device(gwid, { kind: 'ap', online: true, gateway: true });
  behind = await telemetry.device(gwid, { kind: 'ap', online: true });
});
afterAll(() => server.stop());

const report = (serial: string, at: string, bytes: number) =>
  telemetry.reports({ serial, gwid, at: new Date(at), wan_down: bytes, wan_up: 1 });

async function pass(hours: number): Promise<void> {
  clock.advance(hours * 3_600_000);
  owner = await signInAgain(server, { ...owner, personId: owner.userId }, clock.now());
}

async function rollUpAndClose(): Promise<void> {
  await createRollups({ database: server.db.database, clock }).run();
  await createClosing({ database: server.db.database, clock, log: silentLog() })();
}

async function stage(input: { gwid?: string } = {}, as: Registered = owner): Promise<number[]> {
  const path = '/api/v3/user_stat/flow_model';
  const { data } = await server.call<DataOf<typeof contract.flowModel>>(path, { day: 30, ...input }, as);
  return data.stage.map(({ value }) => value);
}

const closedDays = async () => {
  const { rows } = await server.db.database.systemPool.query<{ day: string }>(
    "select to_char(day, 'MM-DD') as day from uplink_day where account_id = $1 and gwid = $2 order by day",
    [owner.accountId, gwid],
  );
  return rows.map(({ day }) => day);
};

it('says the same of a day before and after it is closed, six hours after its end', async () => {
  await report(router, '2026-11-19T15:59:00Z', 100);
  await report(behind, '2026-11-19T15:59:00Z', 90);
  await report(router, '2026-11-19T16:01:00Z', 1000);
  await report(router, '2026-11-20T15:59:00Z', 20_000);
  await report(behind, '2026-11-20T15:59:00Z', 19_000);
  await report(router, '2026-11-21T04:29:00Z', 300_000);
  const parts = [1001, 0, 300_001, 0, 20_102];
  expect(await stage()).toEqual(parts);
  await rollUpAndClose();
  expect(await closedDays()).toEqual(['11-19', '11-20']);
  expect(await stage()).toEqual(parts);
  expect(await stage({ gwid })).toEqual(parts);
  await rollUpAndClose();
  expect(await stage()).toEqual(parts);
});

it('leaves a day open while reports of it may still come', async () => {
  await pass(13);
  await report(router, '2026-11-21T15:59:00Z', 4_000_000);
  await rollUpAndClose();
  expect(await closedDays()).toEqual(['11-19', '11-20']);
  expect((await stage())[4]).toBe(4_020_103);
  await pass(7);
  await rollUpAndClose();
  expect(await closedDays()).toEqual(['11-19', '11-20', '11-21']);
  expect((await stage())[4]).toBe(4_020_103);
});

it('closes days anew to the same numbers from the same hours', async () => {
  const before = await stage();
  await server.db.query("update uplink_progress set until = '2026-11-20'");
  expect(await stage()).toEqual(before);
  await rollUpAndClose();
  expect(await stage()).toEqual(before);
  expect(await closedDays()).toEqual(['11-19', '11-20', '11-21']);
});

it('counts the hour that midnight is in once, where clocks are off by half an hour', async () => {
  const registered = await server.register();
  const other = await signInAgain(server, { ...registered, personId: registered.userId }, clock.now());
  await server.db.database.systemPool.query("update account set time_zone = 'Asia/Kolkata' where account_id = $1", [
    other.accountId,
  ]);
  const there = await makeTelemetry(server, other, clock);
  const teahouse = await there.network('Teahouse');
  const serial = await there.device(teahouse, { kind: 'gateway', online: true, gateway: true });
  const heard = (at: string, wan_down: number) => there.reports({ serial, gwid: teahouse, at: new Date(at), wan_down });
  // midnight is at 18:30 UTC, inside a rollup hour
  await heard('2026-11-20T18:10:00Z', 100);
  await heard('2026-11-20T18:40:00Z', 1000);
  await heard('2026-11-20T19:10:00Z', 10_000);
  const parts = [10_000, 0, 0, 0, 1100];
  expect(await stage({}, other)).toEqual(parts);
  await rollUpAndClose();
  expect(await stage({}, other)).toEqual(parts);
  expect(await stage({ gwid: teahouse }, other)).toEqual(parts);
});
