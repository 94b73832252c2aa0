import { afterAll, expect, it } from 'vitest';
import { eventually } from '../../../../../tools/eventually.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { silentLog } from '../log.ts';
import { enqueue, startWorkers } from './index.ts';

const { database, drop } = await createTestDatabase();
afterAll(drop);

it('scheduled work waits for the event loop, requested work does not', async () => {
  const done: string[] = [];
  let [late, asked] = [true, 0];
  const tasks = { round: async () => void done.push('round'), asked: async () => void done.push('asked') };
  const isLate = () => {
    asked += 1;
    return late;
  };
  const newYear = [{ task: 'round', cron: '0 0 1 1 *' }];
  const workers = await startWorkers(database, tasks, newYear, silentLog(), { isLate });
  try {
    await database.withSystem((tx) => enqueue(tx, 'round', {}));
    await eventually(() => expect(asked).toBeGreaterThan(0));
    await database.withSystem((tx) => enqueue(tx, 'asked', {}));
    await eventually(() => expect(done).toEqual(['asked']));
    late = false;
    await eventually(() => expect(done).toEqual(['asked', 'round']));
  } finally {
    await workers.stop();
  }
});
