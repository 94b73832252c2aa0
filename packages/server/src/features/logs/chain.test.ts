import { afterAll, beforeAll, expect, it } from 'vitest';
import { asOwner } from '../../../test/database.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterAll(() => server.stop());

const verify = async () =>
  (
    await server.call<{ rows: number; intact: boolean; broken_at: number | null }>(
      '/api/v3/log/action/verify',
      {},
      owner,
    )
  ).data;

it('holds while others append', async () => {
  let writing = true;
  const write = async () => {
    for (let at = 0; writing; at += 1) await server.call('/api/v3/network/create', { remark: `n-${at}` }, owner);
  };
  const writers = [write(), write(), write()];
  for (let at = 0; at < 40; at += 1) expect(await verify()).toMatchObject({ intact: true, broken_at: null });
  writing = false;
  await Promise.all(writers);
  expect((await verify()).rows).toBeGreaterThan(3);
});

it('finds a row that was changed, one that is missing, and a head that was moved', async () => {
  const { systemPool } = server.db.database;
  const tamper = (text: string) => asOwner(server.db.owner, (client) => client.query(text, [owner.accountId]));
  const { rows: count } = await verify();
  await tamper(`update operation_log set object_name = object_name || '!' where account_id = $1 and seq = 2`);
  expect(await verify()).toMatchObject({ intact: false, broken_at: 2 });
  await tamper(`update operation_log set object_name = rtrim(object_name, '!') where account_id = $1 and seq = 2`);
  expect(await verify()).toMatchObject({ intact: true, rows: count });
  await tamper(`delete from operation_log where account_id = $1 and seq = ${count}`);
  expect(await verify()).toMatchObject({ intact: false, broken_at: count });
  await systemPool.query('update operation_log_head set seq = seq - 2 where account_id = $1', [owner.accountId]);
  expect(await verify()).toMatchObject({ intact: false });
});
