import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import { createClientCounts } from './client-count-task.ts';
import { createPartitionJob } from './partitions.ts';
import { createPortSpeeds } from './port-speeds.ts';
import { createRollups } from './rollups.ts';
import { createUsersDay } from './users-day.ts';
import { createOpenDayRecount } from './zone-change.ts';

export function createTelemetryJobs(parts: { database: Database; clock: Clock; log: Log }) {
  const partitions = createPartitionJob(parts);
  const rollups = createRollups(parts);
  const usersDay = createUsersDay(parts);
  const clientCounts = createClientCounts(parts);
  const portSpeeds = createPortSpeeds(parts);
  return {
    tasks: {
      ...partitions.tasks,
      ...createOpenDayRecount(parts).tasks,
      rollups: () => rollups.run(),
      'users-day': () => usersDay.run(),
      who: () => clientCounts.run(),
      'port-speeds': () => portSpeeds.run(),
    },
    schedules: [
      ...partitions.schedules,
      ...['rollups', 'users-day', 'who'].map((task) => ({ task, cron: '* * * * *' })),
      { task: 'port-speeds', cron: '23 * * * *' },
    ],
  };
}
