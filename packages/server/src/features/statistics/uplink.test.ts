import type { statistics as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTelemetry, type Telemetry } from '../../../test/seed-statistics.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { createRollups } from '../../telemetry/rollups.ts';

const clock = new ManualClock(new Date('2026-11-21T04:30:00Z'));
let server: TestServer;
let owner: Registered;
let telemetry: Telemetry;
let gwid: string;
let [router, behind, other] = ['', '', ''];

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  telemetry = await makeTelemetry(server, owner, clock);
  gwid = await telemetry.network('Cafe');
  router = await telemetry.device(gwid, { kind: 'ap', online: true, gateway: true });
  behind = await telemetry.device(gwid, { kind: 'ap', online: true });
  other = await telemetry.device(gwid, { kind: 'ap', online: true });
});
afterAll(() => server.stop());

const report = (serial: string, at: string, bytes: number) =>
  telemetry.reports({ serial, gwid, at: new Date(at), wan_down: bytes, wan_up: 1 });

async function total(): Promise<number> {
  const { data } = await server.call<DataOf<typeof contract.complex>>('/api/v3/user_stat/complex', {}, owner);
  return data.cumulative_flow.total;
}

it('counts what passes a gateway once: asked again, after a late report of any device, and with another gateway since', async () => {
  const rollUp = () => createRollups({ database: server.db.database, clock }).run();
  for (const [serial, bytes] of [
    [router, 1000],
    [behind, 600],
    [other, 300],
  ] as const) {
    for (const time of ['01:10', '03:10', '04:12', '04:27']) await report(serial, `2026-11-21T${time}:00Z`, bytes);
  }
  expect(await total()).toBe(4004);
  await rollUp();
  expect(await total()).toBe(4004);
  // late reports of closed periods: devices behind the gateway add nothing, before and after the rollup
  for (const time of ['03:20', '04:13']) {
    await report(behind, `2026-11-21T${time}:00Z`, 50_000);
    expect(await total()).toBe(4004);
    await rollUp();
    expect(await total()).toBe(4004);
  }
  await report(router, '2026-11-21T03:25:00Z', 7000);
  expect(await total()).toBe(11_005);
  await rollUp();
  expect(await total()).toBe(11_005);
  const { systemPool } = server.db.database;
  await systemPool.query('update network set gateway_serial = $2 where gwid = $1', [gwid, other]);
  expect(await total()).toBe(11_005);
});
