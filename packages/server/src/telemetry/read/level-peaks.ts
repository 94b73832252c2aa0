import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { levelColumns, levelRows, type PastLevel, type PoolSizes, poolPercent, poolRows } from './past-levels.ts';
import { raiseWorkMem } from './work-mem.ts';

/** Seconds between peaks. */
export const peakStepS = 3600;

/** Devices of the account's networks; null: of all. */
export interface PeakScope {
  gwids: readonly string[] | null;
  serials: readonly string[] | null;
}

/** Returns for each hour the highest five-minute mean of any device's busiest radio; null without data. */
export async function levelPeaks(
  tx: Tx,
  accountId: string,
  { level, from, to, gwids, serials, pools }: { level: PastLevel; from: Date; to: Date; pools?: PoolSizes } & PeakScope,
): Promise<{ from: Date; values: (number | null)[] }> {
  await raiseWorkMem(tx);
  const stepMs = peakStepS * 1000;
  const begin = Math.floor(from.getTime() / stepMs) * stepMs;
  const within = (
    time: string,
  ) => sql`account_id = ${accountId} and ${sql.ref(time)} >= ${from} and ${sql.ref(time)} < ${to}
    and (${gwids}::uuid[] is null or gwid = any (${gwids}::uuid[]))
    and (${serials}::text[] is null or serial = any (${serials}::text[]))`;
  const means = levelColumns[level].map((_, n) => `s${n} / nullif(n${n}, 0)`).join(', ');
  const { rows } = await sql<{ at: Date; value: number | null }>`
    with pool as (${poolRows(pools ?? new Map())}), mean as (
      select serial, bucket, greatest(${sql.raw(means)}) as value from (${levelRows(level, within)}) part)
    select date_bin('1 hour', bucket, 'epoch') as at,
      round(max(${pools ? poolPercent : sql`value`})::numeric, 1)::float8 as value
    from mean left join pool using (serial) group by 1`.execute(tx);
  const found = new Map(rows.map(({ at, value }) => [at.getTime(), value]));
  const hours = Math.max(0, Math.ceil((to.getTime() - begin) / stepMs));
  return {
    from: new Date(begin),
    values: Array.from({ length: hours }, (_, n) => found.get(begin + n * stepMs) ?? null),
  };
}
