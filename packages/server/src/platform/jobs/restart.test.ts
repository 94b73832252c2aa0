import { afterAll, expect, it, vi } from 'vitest';
import { asOwner, createTestDatabase } from '../../../test/database.ts';
import { silentLog } from '../log.ts';
import { enqueue, startWorkers } from './index.ts';

const { database, owner, drop } = await createTestDatabase();
afterAll(drop);

it('goes on after the database went away under its workers', async () => {
  const done: string[] = [];
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
    silentLog(),
  );
  try {
    await database.withSystem((tx) => enqueue(tx, 'hold', {}));
    await vi.waitFor(() => expect(done).toEqual(['hold']), 10_000);
    // as a restart of the database does; the worker finds that it cannot say that its task is done
    await asOwner(owner, (client) =>
      client.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'yunxun_system'
        and datname = current_database()`),
    );
    letGo();
    await vi.waitFor(() => database.withSystem((tx) => enqueue(tx, 'note', { word: 'after' })), 10_000);
    await vi.waitFor(() => expect(done).toContain('after'), { timeout: 30_000, interval: 50 });
  } finally {
    await workers.stop();
  }
});
