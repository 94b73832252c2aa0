import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol } from './front-door.ts';

/** More devices come in one moment than the program has connections to its database. */

const count = 16;
/** Half of the system's connections in a test. */
const share = 4;

let server: TestServer;
let owner: Registered;
let holder: pg.Client;
/** Looks on from outside of the holder's transaction, in which what others do stands still. */
let onlooker: pg.Client;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  holder = new pg.Client(server.db.owner);
  onlooker = new pg.Client(server.db.owner);
  await Promise.all([holder.connect(), onlooker.connect()]);
}, 60_000);
afterAll(async () => {
  await endDevices();
  await Promise.all([holder.end(), onlooker.end()]);
  await server.stop();
});

it('people and jobs have connections left, however many devices wait for theirs', async () => {
  const devices = [];
  for (let at = 0; at < count; at += 1) devices.push(accessPoint(await enrol(server, owner)));
  // sessions cannot be written down: whoever is let in waits in the database
  await holder.query('begin');
  await holder.query('lock table device_link in exclusive mode');
  const connecting = Promise.all(devices.map((device) => device.connect()));
  connecting.catch(() => undefined);
  // what sessions of other roles wait for is not shown to everybody, what they ask for is
  const held = async () =>
    (
      await onlooker.query<{ held: number }>(
        "select count(*)::int as held from pg_locks where not granted and relation = 'device_link'::regclass",
      )
    ).rows[0]?.held;
  await expect.poll(held, { timeout: 20_000 }).toBe(share);
  expect(await server.call('/api/v3/network/list', {}, owner)).toMatchObject({ code: 2000 });
  expect(await server.register()).toMatchObject({ token: expect.any(String) });
  expect(await held()).toBe(share);
  await holder.query('rollback');
  await connecting;
  const online = async () =>
    (await onlooker.query<{ n: number }>('select count(*)::int as n from device where online')).rows[0]?.n;
  await expect.poll(online, { timeout: 20_000 }).toBe(count);
}, 60_000);
