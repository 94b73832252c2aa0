import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../platform/clock.ts';
import type { Started } from '../start.ts';
import { dropOldPartitions } from '../telemetry/partitions.ts';
import { createRollups } from '../telemetry/rollups.ts';
import { type MemoryFile, zone } from './memory.ts';
import type { PastNews, PastShop, PastWork } from './past-worker.ts';

/** Megabytes; the thread holds the rows of two days. */
const resourceLimits = { maxOldGenerationSizeMb: 320, maxYoungGenerationSizeMb: 32 };
/** Days that the terminal names. */
const milestones = new Set([2, 7]);

/** Writes the days before the first start, newest first, in a thread that ends with them. Resumes an interrupted run. */
export async function writePast(
  shops: readonly PastShop[],
  { program, file, stopping }: { program: Started; file: MemoryFile; stopping: AbortSignal },
): Promise<void> {
  const { database, showPreparing } = program;
  const { past } = file.memory;
  const began = performance.now();
  // a day is closed by what is rolled up
  await createRollups({ database, clock: systemClock }).run();
  const workerData: PastWork = { connection: database.systemConnection, zone, from: past.from, shops };
  const worker = new Worker(join(import.meta.dirname, 'demo/past-worker.js'), {
    workerData,
    name: 'past',
    resourceLimits,
  });
  stopping.addEventListener('abort', () => worker.postMessage('stop'));
  worker.on('message', ({ done, total }: PastNews) => {
    showPreparing({ done, total });
    const seconds = Math.round((performance.now() - began) / 1000);
    if (done === total || milestones.has(done)) console.log(`The last ${done} days are there, after ${seconds} s.`);
    if (done === total) past.complete = true;
  });
  await once(worker, 'exit');
  file.save();
  // reports of old days are kept for their sums only
  if (past.complete) await dropOldPartitions(database, systemClock);
}
