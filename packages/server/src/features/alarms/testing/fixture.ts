import type { alarms as contract, DataOf } from '@yunxun/contract';
import { expect } from 'vitest';
import { newSerial } from '../../../../test/new-serial.ts';
import { type As, loginOf, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/database/index.ts';

// mutable: each test has its own account
export const minute = 60_000;
export const clock = new ManualClock();
export let server: TestServer;
export let owner: Registered;
export let gwid: string;

export async function startFixture(): Promise<void> {
  server = await startTestServer({ clock });
}

export const stopFixture = () => server.stop();

export type List = DataOf<typeof contract.list>;
export type Detail = DataOf<typeof contract.get>;
export type Counts = DataOf<typeof contract.counts>;

export const query = (text: string, values: unknown[] = []) => server.db.query(text, values);

export async function call<T>(path: string, body: unknown = {}, as: As = owner): Promise<T> {
  const { code, message, errors, data } = await server.call<T>(`/api/v3/${path}`, body, as);
  expect({ code, message, errors }).toMatchObject({ code: 2000 });
  return data;
}
export const list = async (input: object = {}) => (await call<List>('alarm/list', input)).list;
export const detail = (id: string) => call<Detail>('alarm/detail', { id });
export const counts = () => call<Counts>('alarm/stat');

export async function start(): Promise<void> {
  owner = await server.register();
  gwid = await network('West-Lake');
}

export async function signInAgain(): Promise<void> {
  const { token } = await server.call('/api/v3/login', loginOf(owner));
  owner = { ...owner, token: token! };
}

export async function network(remark: string): Promise<string> {
  return (await call<{ gwid: string }>('network/create', { remark })).gwid;
}

/** Writes sessions' rows, without a gateway process. */
export async function devices(
  kind: 'ap' | 'switch' | 'gateway',
  count: number,
  where = gwid,
  clients = 3,
): Promise<string[]> {
  const serials = Array.from({ length: count }, newSerial);
  await query(
    `insert into serial_directory (serial, account_id, enrolled_at, first_connected_at)
     select s, $2, $3, $3 from unnest($1::text[]) s`,
    [serials, owner.accountId, clock.now()],
  );
  await query(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, model, bound_at, first_seen, last_seen, online, online_since)
     select true, $2, s, $3, $4, $4 || '-' || row_number() over (), 'Test', $5, $5, $5, true, $5 from unnest($1::text[]) s`,
    [serials, owner.accountId, where, kind, clock.now()],
  );
  await query(
    `insert into device_latest (account_id, serial, at, clients_total) select $2, s, $3, $4 from unnest($1::text[]) s`,
    [serials, owner.accountId, clock.now(), clients],
  );
  if (kind === 'gateway') await query('update network set gateway_serial = $1 where gwid = $2', [serials[0], where]);
  return serials;
}

export async function lose(
  serials: readonly string[],
  more: { cause?: string; restarting?: boolean } = {},
): Promise<void> {
  await query(
    `update device set online = false, offline_since = $2, online_since = null, offline_cause = $3, restarting_since = $4
     where serial = any($1)`,
    [serials, clock.now(), more.cause ?? null, more.restarting ? clock.now() : null],
  );
}

export async function back(serials: readonly string[], cause = 'link'): Promise<void> {
  await query(
    `insert into device_outage (account_id, serial, began_at, ended_at, cause)
     select account_id, serial, offline_since, $2, $3 from device where serial = any($1)`,
    [serials, clock.now(), cause],
  );
  await query(
    'update device set online = true, online_since = $2, last_seen = $2, restarting_since = null where serial = any($1)',
    [serials, clock.now()],
  );
}

export async function evaluate(): Promise<void> {
  const { systemPool } = server.db.database;
  await systemPool.query(`update platform.listening set until = $1`, [clock.now()]);
  const key = `test-${newId()}`;
  await systemPool.query(
    "select graphile_worker.add_job('alarms-evaluate', job_key => $1, queue_name => 'alarms-evaluate')",
    [key],
  );
  const waits = () => systemPool.query('select attempts from graphile_worker.jobs where key = $1', [key]);
  await expect.poll(async () => (await waits()).rows).toEqual([]);
}

export async function pass(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    clock.advance(minute);
    await query('update device set last_seen = $1 where online', [clock.now()]);
    await evaluate();
  }
}

export const rule = (more: object) => ({
  rule: {
    kind: 'ap_offline',
    enabled: true,
    level: 'FATAL',
    tolerance: 60,
    threshold: null,
    scope: { type: 'all', ids: [] },
    ...more,
  },
});

export const brief = (rows: List['list']) =>
  rows.map(({ kind, state, count, devices_hit: hit }) => ({ kind, state, count, hit }));
