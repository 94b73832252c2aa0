import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import { deleteExpiredRows, retentionLock } from './row-retention.ts';

/** Days ahead and back: device clocks may be behind. */
const daysAhead = 3;
const daysBack = 1;
const dayMs = 86_400_000;

/** Kept until these have consumed it. */
const rolledInto: Readonly<Record<string, readonly string[]>> = {
  device_sample: ['rollup_device_5m'],
  rollup_device_5m: ['rollup_device_1h', 'rollup_network_5m'],
  rollup_network_5m: ['rollup_network_1h', 'rollup_account_5m'],
  rollup_account_5m: ['rollup_account_1h'],
  rollup_device_1h: ['rollup_device_1d'],
  rollup_network_1h: ['rollup_network_1d'],
  rollup_account_1h: ['rollup_account_1d'],
  station_day: ['users_day'],
};

async function partitioned(tx: Tx): Promise<{ table: string; days: number }[]> {
  const { rows } = await sql<{ table: string; days: number }>`
    select name as "table", days from platform.partitioned order by name`.execute(tx);
  return rows;
}

/** Takes UTC days, both inclusive. */
export async function makePartitions(database: Database, from: Date, to: Date): Promise<void> {
  const tables = await database.withSystem(partitioned);
  for (const { table } of tables) {
    // a transaction per table: a busy one blocks no other
    await database.withSystem((tx) =>
      sql`select platform.make_partitions(${table}, ${dateOf(from)}::date, ${dateOf(to)}::date)`.execute(tx),
    );
  }
}

/** Must run before any write. */
export async function ensurePartitions(database: Database, clock: Clock): Promise<void> {
  const now = clock.now().getTime();
  await makePartitions(database, new Date(now - daysBack * dayMs), new Date(now + daysAhead * dayMs));
}

/** Drops expired, rolled-up days. @returns their partitions */
export async function dropOldPartitions(database: Database, clock: Clock): Promise<string[]> {
  const tables = await database.withSystem(partitioned);
  const dropped: string[] = [];
  for (const { table, days } of tables) {
    const { rows } = await database.withSystem(async (tx) => {
      const free = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${retentionLock}) as free`.execute(tx);
      if (!free.rows[0]!.free) return { rows: [] };
      return sql<{ part: string }>`
        select platform.drop_partitions(${table}, least(
          ${dateOf(new Date(clock.now().getTime() - days * dayMs))}::date,
          (select (min(coalesce(p.until, '-infinity')) at time zone 'UTC')::date
           from unnest(${rolledInto[table] ?? []}::text[]) r (name) left join platform.rollup_progress p using (name))
        )) as part
      `.execute(tx);
    });
    dropped.push(...rows.map(({ part }) => part));
  }
  return dropped;
}

export function createPartitionJob({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
  return {
    tasks: {
      async partitions() {
        await ensurePartitions(database, clock);
        const dropped = await dropOldPartitions(database, clock);
        if (dropped.length > 0) log.info({ dropped }, 'days past their keep dropped');
        const forgotten = await deleteExpiredRows(database, clock);
        if (forgotten.terminals + forgotten.days > 0) log.info(forgotten, 'rows past their keep deleted');
      },
    },
    schedules: [{ task: 'partitions', cron: '17 * * * *' }],
  };
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
