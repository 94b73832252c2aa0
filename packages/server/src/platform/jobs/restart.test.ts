import { afterAll, expect, it, vi } from 'vitest';
import { eventually } from '../../../../../tools/eventually.ts';
import { asOwner, createTestDatabase } from '../../../test/database.ts';
import { silentLog } from '../log.ts';
import { enqueue, startWorkers } from './index.ts';

const { database, owner, drop } = await createTestDatabase();
afterAll(drop);

it('goes on after the database went away under its workers', async () => {
  const done: string[] = [];
  const errors: string[] = [];
  const log = silentLog();
  vi.spyOn(log, 'error').mockImplementation((...printed: unknown[]) => void errors.push(String(printed.at(-1))));
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const workers = await startWorkers(
    database,
    {
      hold: async () => {
        done.push('hold');
        await held;
      },
      note: async ({ word }: { word: string }) => void done.push(word),
    },
    [],
    log,
  );
  try {
    await database.withSystem((tx) => enqueue(tx, 'hold', {}));
    await eventually(() => expect(done).toEqual(['hold']));
    const { rows } = await database.systemPool.query(
      'select from graphile_worker._private_jobs j join job_queue.worker w on w.worker_id = j.locked_by',
    );
    expect(rows).toHaveLength(1);
    await asOwner(owner, async (client) => {
      const name = client.escapeIdentifier(
        String(owner.database ?? new URL(owner.connectionString!).pathname.slice(1)),
      );
      await client.query(`alter database ${name} connection limit 0`);
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user and datname = current_database()`,
      );
      letGo();
      // makes Graphile Worker stop for good
      await eventually(() => expect(errors.join()).toContain('Failed to complete jobs'));
      await client.query(`alter database ${name} connection limit -1`);
    });
    await eventually(() => database.withSystem((tx) => enqueue(tx, 'note', { word: 'after' })));
    await eventually(() => expect(done).toContain('after'));
  } finally {
    await workers.stop();
  }
});
