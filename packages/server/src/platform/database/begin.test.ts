import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { createEmptyDatabase } from '../../../test/database.ts';
import { beginWith, kyselyOn } from './kysely.ts';

const { owner, drop } = await createEmptyDatabase();
const pool = new pg.Pool({ ...owner, max: 1 });
// the database may be dropped before its session is gone
pool.on('connect', (client) => client.on('error', () => undefined));
const db = kyselyOn(pool);
afterAll(async () => {
  await pool.end();
  await drop();
});

const begin = (settings: Record<string, string>) => beginWith(db, settings);
const mark = async (on: Parameters<ReturnType<typeof sql>['execute']>[0]) =>
  (await sql<{ mark: string | null }>`select current_setting('test.mark', true) as mark`.execute(on)).rows[0]!.mark;

it('leaves no transaction open and no setting behind, whatever fails', async () => {
  const work = () => Promise.reject(new Error('work failed'));
  await expect(begin({ 'test.mark': `it's \\ "1"`, 'no name': '' }).execute(mark)).rejects.toThrow(/no name/);
  expect(await begin({ 'test.mark': `it's \\ "1"` }).execute(mark)).toBe(`it's \\ "1"`);
  expect(await mark(db)).toBe('');
  await expect(begin({ 'test.mark': '2' }).execute(work)).rejects.toThrow('work failed');
  expect(await mark(db)).toBe('');
  const { rows } = await sql<{ free: boolean }>`select now() = statement_timestamp() as free`.execute(db);
  expect(rows).toEqual([{ free: true }]);
});

it('names the first error when the connection is lost', async () => {
  const errors = ['terminated', 'not queryable'];
  const client = { query: () => Promise.reject(new Error(errors.shift())), release: () => undefined };
  const lost = kyselyOn({ connect: () => Promise.resolve(client) } as unknown as pg.Pool);
  await expect(beginWith(lost, { 'test.mark': '' }).execute(mark)).rejects.toThrow('terminated');
});
