import type { DataOf, users } from '@yunxun/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../test/server.ts';
import { ManualClock } from '../platform/clock.ts';
import type { Ingest } from './index.ts';

/** Totals are then written every 15 minutes (`batch-writer.ts`). */
const many = 501;

const clock = new ManualClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

const phone = '3c22fb000001';
const serialOf = (n: number) => n.toString(16).padStart(12, '0');

it('shows a client’s bytes as of the last report in an installation of many devices', async () => {
  const owner = await server.register();
  const { accountId } = owner;
  const { gwid } = (await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Many' }, owner)).data;
  await sql`insert into device (account_id, serial, gwid, kind, remark, bound_at)
    select ${accountId}, lpad(to_hex(n), 12, '0'), ${gwid}::uuid, 'ap', 'AP', now() from generate_series(1, ${many}) n`.execute(
    server.db.database.system,
  );
  const ingest = server.program.ingest as Ingest;
  let uptime = 1000;
  const report = async (serial: string, bytes: number | null) => {
    const associations =
      bytes === null ? [] : [{ station: phone, connected: uptime, rssi: -60, tx_bytes: bytes, rx_bytes: 0 }];
    const ssid = { ssid: 'House', bssid: '903cb3000011', band: ['5G'], associations };
    const state = { unit: { uptime }, interfaces: [{ name: 'up0v0', ssids: [ssid] }] };
    const frame = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'state', params: { state } }));
    const reported = await ingest.state({ accountId, serial }, frame, { epoch: 1, at: clock.now() });
    expect(reported).toMatchObject({ outcome: 'committed' });
  };
  await Promise.all(Array.from({ length: many - 1 }, (_, n) => report(serialOf(n + 2), null)));
  const shown = async () => {
    const { data } = await server.call<DataOf<typeof users.detail>>(
      '/api/v3/user_online/detail',
      { mac: phone },
      owner,
    );
    return { down: data.down, today: data.flow_today };
  };
  const history = async () =>
    (await server.call<DataOf<typeof users.history>>('/api/v3/user_online/history', { mac: phone }, owner)).data.open[0]
      ?.down;
  const listed = async () =>
    (await server.call<DataOf<typeof users.list>>('/api/v3/user_online/list', { tab: 'today' }, owner)).data.list[0]
      ?.flow_today;
  await report(serialOf(1), 1000);
  for (const bytes of [1_000_000, 2_000_000, 3_000_000]) {
    clock.advance(60_000);
    uptime += 60;
    await report(serialOf(1), 1000 + bytes);
  }
  expect(await listed()).toBe(3_000_000);
  clock.advance(60_000);
  uptime += 60;
  await report(serialOf(1), 4_001_000);
  expect(await history()).toBe(4_000_000);
  clock.advance(60_000);
  uptime += 60;
  await report(serialOf(1), 5_001_000);
  expect(await shown()).toEqual({ down: 5_000_000, today: 5_000_000 });
  expect(await shown()).toEqual({ down: 5_000_000, today: 5_000_000 });
});
