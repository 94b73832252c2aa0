import { expect, it, onTestFinished } from 'vitest';
import { startTestServer } from '../../../test/server.ts';
import { maxRows } from './download.ts';

it('a file ends after 100,000 rows and says so in its last line', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const owner = await server.register();
  const addressOf = async (input: object) =>
    server.url + (await server.call<{ url: string }>('/api/v3/log/auth/export', input, owner)).data.url;
  await server.db.database.systemPool.query(
    `insert into sign_in_log (account_id, id, login, action, method, result)
     select $1, gen_random_uuid(), 'row ' || n, 'login', 'sms', 'success' from generate_series(1, ${maxRows + 1}) n`,
    [owner.accountId],
  );
  const text = await (await fetch(await addressOf({ format: 'csv' }))).text();
  const csv = text.split('\r\n').slice(0, -1);
  expect(csv).toHaveLength(1 + maxRows + 1);
  expect(csv.at(-1)).toMatch(/Only the first 100000 rows/);
  expect(new Set(csv.map((line) => line.split(',')[1])).size).toBeGreaterThanOrEqual(maxRows);
  const exact = await addressOf({ format: 'json', method: 'sms', keyword: 'row 1' });
  const json = (await (await fetch(exact)).json()) as { rows: unknown[]; complete: boolean };
  expect([json.rows.length, json.complete]).toEqual([11_113, true]);
});
