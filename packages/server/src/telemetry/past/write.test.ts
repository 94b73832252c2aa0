import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import { openPastWriter } from './index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

it('reports a connection that breaks while it is idle', async () => {
  const { systemConnection, systemPool } = server.db.database;
  const lost: Error[] = [];
  const writer = await openPastWriter(systemConnection, (error) => lost.push(error));
  await systemPool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'yunxun_past' and datname = current_database()",
  );
  await expect.poll(() => lost.length).toBeGreaterThan(0);
  await expect(writer.until()).rejects.toThrow();
});
