import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import { createPartitionJob } from './partitions.ts';
import { createRollups } from './rollups.ts';
import { createUsersDay } from './users-day.ts';
import { createWho } from './who.ts';

/** What the worker role does for telemetry: partitions, rollups, users of closed days, who is there. */
export function createTelemetryJobs(parts: { database: Database; clock: Clock; log: Log }) {
  const partitions = createPartitionJob(parts);
  const rollups = createRollups(parts);
  const usersDay = createUsersDay(parts);
  const who = createWho(parts);
  return {
    tasks: {
      ...partitions.tasks,
      rollups: () => rollups.run(),
      'users-day': () => usersDay.run(),
      who: () => who.run(),
    },
    schedules: [
      ...partitions.schedules,
      ...['rollups', 'users-day', 'who'].map((task) => ({ task, cron: '* * * * *' })),
    ],
  };
}
