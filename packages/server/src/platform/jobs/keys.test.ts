import { afterAll, expect, it } from 'vitest';
import { eventually } from '../../../../../tools/eventually.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { enqueue, prepareQueue } from './index.ts';

const { database, drop } = await createTestDatabase();
afterAll(drop);

it('adds work whose key a worker is taking at that moment: what began before does not know of it', async () => {
  await prepareQueue(database);
  const add = (at: number) => database.withSystem((tx) => enqueue(tx, 'look', { at }, { key: 'look:one' }));
  await add(1);
  const worker = await database.systemPool.connect();
  try {
    await worker.query('begin');
    await worker.query("update graphile_worker._private_jobs set locked_at = now(), locked_by = 'somebody'");
    const added = add(2);
    await eventually(async () => {
      const { rows } = await database.systemPool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(1);
    });
    await worker.query('commit');
    await added;
  } finally {
    worker.release();
  }
  const { rows } = await database.systemPool.query(
    "select payload->>'at' as at, locked_by from graphile_worker._private_jobs order by id",
  );
  expect(rows).toEqual([
    { at: '1', locked_by: 'somebody' },
    { at: '2', locked_by: null },
  ]);
});
