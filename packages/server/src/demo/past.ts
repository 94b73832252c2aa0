import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { systemClock } from '../platform/clock.ts';
import type { Started } from '../start.ts';
import { dropOldPartitions } from '../telemetry/partitions.ts';
import { createRollups } from '../telemetry/rollups.ts';
import { type MemoryFile, zone } from './memory.ts';
import type { PastNews, PastShop, PastWork } from './past-worker.ts';

/** The process holds the rows of two days. */
const execArgv = ['--max-old-space-size=320', '--max-semi-space-size=32'];
const milestones = new Set([2, 7]);

/** Writes the days before the first start, newest first, in a process whose memory ends with them. Resumes an interrupted run. */
export async function writePast(
  shops: readonly PastShop[],
  { program, file, stopping }: { program: Started; file: MemoryFile; stopping: AbortSignal },
): Promise<void> {
  const { database, showPreparing } = program;
  const { past } = file.memory;
  const began = performance.now();
  // a day is closed by what is rolled up
  await createRollups({ database, clock: systemClock }).run();
  if (stopping.aborted) return;
  const work: PastWork = { connection: database.systemConnection, zone, from: past.from, shops };
  const worker = fork(join(import.meta.dirname, 'demo/past-worker.js'), { serialization: 'advanced', execArgv });
  const exit = once(worker, 'exit');
  worker.send(work);
  const stop = () => worker.connected && worker.send('stop');
  stopping.addEventListener('abort', stop);
  worker.on('message', (news) => {
    const { done, total } = news as PastNews;
    showPreparing({ done, total });
    const seconds = Math.round((performance.now() - began) / 1000);
    if (done === total || milestones.has(done)) console.log(`The last ${done} days are there, after ${seconds} s.`);
    if (done === total) past.complete = true;
  });
  const [code, signal] = (await exit) as [number | null, string | null];
  stopping.removeEventListener('abort', stop);
  file.save();
  if (code !== 0 && !stopping.aborted)
    throw new Error(`the past ended with ${signal ?? code}: the next start resumes it`);
  // reports of old days are kept for their sums only
  if (past.complete) await dropOldPartitions(database, systemClock);
}
