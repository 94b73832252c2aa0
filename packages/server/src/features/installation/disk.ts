import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Storage } from '../../platform/storage.ts';

/** Milliseconds after which a measurement no longer counts. */
const validMs = 5 * 60_000;

/** Measures the file systems of the process that runs the task: data folder and, where it is local, the database. */
export function createDiskReport({ database, clock, storage }: DiskDeps) {
  return {
    tasks: {
      'installation-disk': async () => {
        const used = await storage.usage();
        const at = clock.now();
        await database.withSystem(async (tx) => {
          await sql`
            delete from platform.console_disk
            where host = ${hostname()} or at < ${new Date(at.getTime() - validMs)}`.execute(tx);
          for (const { folder, percent } of used)
            await sql`
              insert into platform.console_disk (host, folder, used_percent, at)
              values (${hostname()}, ${folder}, ${percent}, ${at})`.execute(tx);
        });
      },
    },
    schedules: [{ task: 'installation-disk', cron: '* * * * *' }],
  };
}

interface DiskDeps {
  database: Database;
  clock: Clock;
  storage: Pick<Storage, 'usage'>;
}

export interface DiskUse {
  folder: string;
  /** As `df` reports it. */
  percent: number;
}

/** Returns the latest measurements by folder, the fullest of all hosts: a container has a new name at every start. System role. */
export async function diskUse(tx: Tx, now: Date): Promise<DiskUse[]> {
  const { rows } = await sql<DiskUse>`
    select folder, max(used_percent) as percent from platform.console_disk
    where at > ${new Date(now.getTime() - validMs)} group by folder order by folder
  `.execute(tx);
  return rows;
}
