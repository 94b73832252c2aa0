import type { Base } from '../base.ts';
import type { Features } from '../features.ts';
import { startWorkers, type Tasks } from '../platform/jobs/index.ts';
import { createPresenceStore } from '../telemetry/index.ts';
import { watchLostLinks } from '../uplink/index.ts';

export async function startWorker(
  { database, bus, log, outbox, downloads, options }: Base,
  { list, handlers }: Features,
): Promise<{ stop(): Promise<void> }> {
  const parts = [...list, downloads];
  const tasks: Tasks = {
    ...Object.assign({}, ...parts.map((part) => part.tasks)),
    outbox: () => outbox.flush(),
    'outbox-prune': () => outbox.prune(),
    'lost-links': watchLostLinks({ bus, links: createPresenceStore(database), handlers, log }),
  };
  const schedules = [
    ...parts.flatMap((part) => part.schedules ?? []),
    ...['outbox', 'lost-links'].map((task) => ({ task, cron: '* * * * *' })),
    { task: 'outbox-prune', cron: '29 * * * *' },
  ];
  const workers = await startWorkers(database, tasks, options.recurring === false ? [] : schedules, log);
  return {
    async stop() {
      for (const feature of list) feature.stop?.();
      await workers.stop();
    },
  };
}
