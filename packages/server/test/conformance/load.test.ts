import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol } from './device-client.ts';

const count = 16;
const share = 4;

let server: TestServer;
let owner: Registered;
let holder: pg.Client;
/** Own connection: within the holder's transaction, pg_stat_activity is frozen. */
let onlooker: pg.Client;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  holder = new pg.Client(server.db.owner);
  onlooker = new pg.Client(server.db.owner);
  await Promise.all([holder.connect(), onlooker.connect()]);
});
afterAll(async () => {
  await endDevices();
  await Promise.all([holder.end(), onlooker.end()]);
  await server.stop();
});

it('people and jobs have connections left, however many devices wait for theirs', async () => {
  const devices = [];
  for (let at = 0; at < count; at += 1) devices.push(accessPoint(await enrol(server, owner)));
  // blocks session writes: admitted devices wait in the database
  await holder.query('begin');
  await holder.query('lock table device_link in exclusive mode');
  const connecting = Promise.all(devices.map((device) => device.connect()));
  connecting.catch(() => undefined);
  // pg_stat_activity hides waits of other roles, but not their queries
  const held = async () =>
    (
      await onlooker.query<{ held: number }>(
        "select count(*)::int as held from pg_locks where not granted and relation = 'device_link'::regclass",
      )
    ).rows[0]?.held;
  await expect.poll(held).toBe(share);
  expect(await server.call('/api/v3/network/list', {}, owner)).toMatchObject({ code: 2000 });
  expect(await server.register()).toMatchObject({ token: expect.any(String) });
  expect(await held()).toBe(share);
  await holder.query('rollback');
  await connecting;
  const online = async () =>
    (await onlooker.query<{ n: number }>('select count(*)::int as n from device where online')).rows[0]?.n;
  await expect.poll(online).toBe(count);
});
