import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { raiseWorkMem } from './work-mem.ts';

/** Seconds between past levels. */
export const levelStepS = 300;

/** Ten-minute means every five minutes. */
export type PastLevel = 'memory' | 'busy' | 'temperature';

/** Seconds between stored rows. */
export const levelRowS: Readonly<Record<PastLevel, number>> = { memory: 300, busy: 300, temperature: 60 };

/** Crosses a limit, or borders on a silence. */
export interface LevelTurn {
  serial: string;
  /** End of the ten minutes, epoch milliseconds. */
  at: number;
  /** Null: the first. */
  before: number | null;
  value: number;
  limit: number;
  isHigh: boolean;
}

interface Source {
  table: string;
  time: string;
  /** Five-minute sums and counts, by radio. */
  parts: readonly (readonly [sum: string, number: string])[];
  /** Rows `(serial, bucket, s0, n0, …)`. */
  rows: (where: RawBuilder<unknown>) => RawBuilder<unknown>;
}

function rollup(...measures: string[]): Source {
  const parts = measures.map((one) => [`${one}_sum / 100.0::float8`, `${one}_n`] as const);
  const columns = parts.map(([sum, number], index) => `${sum} as s${index}, ${number} as n${index}`).join(', ');
  return {
    ...{ table: 'rollup_device_5m', time: 'bucket', parts },
    rows: (where) => sql`select serial, bucket, ${sql.raw(columns)} from rollup_device_5m where ${where}`,
  };
}

export const levelSources: Readonly<Record<PastLevel, Source>> = {
  memory: rollup('mem'),
  busy: rollup('util_2g', 'util_5g', 'util_6g'),
  // degrees are in no rollup
  temperature: {
    ...{ table: 'device_sample', time: 'at', parts: [['temperature', '1']] },
    rows: (where) => sql`
      select serial, date_bin('5 minutes', at, 'epoch') as bucket, sum(temperature)::float8 as s0,
        count(temperature) as n0
      from device_sample where ${where} group by 1, 2`,
  },
};

/** Returns null if none are kept. */
export async function levelsSince(tx: Tx, accountId: string, level: PastLevel): Promise<Date | null> {
  const { table, time } = levelSources[level];
  const { rows } = await sql<{ at: Date | null }>`
    select min(${sql.ref(time)}) as at from ${sql.table(table)} where account_id = ${accountId}
  `.execute(tx);
  return rows[0]?.at ?? null;
}

/** Latest only. */
const maxTurns = 50_000;

/**
 * Returns turns of devices that reached a limit, by device and time, and since when they are complete. A level is the
 * ten-minute mean of the busiest radio.
 */
export async function levelTurns(
  tx: Tx,
  accountId: string,
  { level, limits, from, to }: { level: PastLevel; limits: readonly number[]; from: Date; to: Date },
): Promise<{ turns: LevelTurn[]; since: Date }> {
  if (limits.length === 0) return { turns: [], since: from };
  await raiseWorkMem(tx);
  const { table, time, rows: read, parts } = levelSources[level];
  const within = sql`account_id = ${accountId} and ${sql.ref(time)} >= ${from} and ${sql.ref(time)} < ${to}`;
  const lowest = Math.min(...limits);
  const isHot = sql.join(
    parts.map(([sum, number]) => sql`(${sql.raw(number)} > 0 and ${sql.raw(sum)} >= ${lowest} * ${sql.raw(number)})`),
    sql` or `,
  );
  const ten = parts.map((_, n) => `sum(s${n}) over ten / nullif(sum(n${n}) over ten, 0)`).join(', ');
  const { rows } = await sql<LevelTurn>`
    with mean as (
      select serial, bucket + interval '5 minutes' as at, greatest(${sql.raw(ten)}) as value
      from (${read(sql`${within} and serial in (
        select distinct serial from ${sql.table(table)} where ${within} and (${isHot}))`)}) part
      window ten as (partition by serial order by bucket range between interval '5 minutes' preceding and current row)
    ), level as (
      select serial, at, value, each.value_limit, value >= each.value_limit as high, lag(at) over device as before,
        lag(value >= each.value_limit) over device as was, lead(at) over device as next
      from mean cross join unnest(${[...new Set(limits)]}::float8[]) as each (value_limit) where value is not null
      window device as (partition by serial, each.value_limit order by at)
    )
    select serial, (extract(epoch from at) * 1000)::float8 as at, (extract(epoch from before) * 1000)::float8 as before,
      round(value::numeric, 1)::float8 as value, value_limit as "limit", high as "isHigh"
    from level
    where high is distinct from was or at - before > interval '10 minutes' or next is null
    order by level.at desc limit ${maxTurns}
  `.execute(tx);
  const turns = rows.toSorted((a, b) => a.serial.localeCompare(b.serial) || a.at - b.at);
  return { turns, since: rows.length < maxTurns ? from : new Date(rows.at(-1)!.at) };
}

/** Latest only. */
const maxCurve = 2016;

/** Returns five-minute means of the busiest radio; null without data. */
export async function levelCurve(
  tx: Tx,
  accountId: string,
  { level, serial, from, to }: { level: PastLevel; serial: string; from: Date; to: Date },
): Promise<{ from: Date; values: (number | null)[] }> {
  const stepMs = levelStepS * 1000;
  const end = Math.ceil(to.getTime() / stepMs) * stepMs;
  const begin = Math.max(Math.floor(from.getTime() / stepMs) * stepMs, end - maxCurve * stepMs);
  const { time, rows: read, parts } = levelSources[level];
  const within = sql`account_id = ${accountId} and serial = ${serial}
    and ${sql.ref(time)} >= ${new Date(begin)} and ${sql.ref(time)} < ${new Date(end)}`;
  const means = parts.map((_, n) => `s${n} / nullif(n${n}, 0)`).join(', ');
  const { rows } = await sql<{ at: Date; value: number | null }>`
    select bucket as at, round(greatest(${sql.raw(means)})::numeric, 1)::float8 as value from (${read(within)}) part
  `.execute(tx);
  const found = new Map(rows.map(({ at, value }) => [at.getTime(), value]));
  const values = Array.from({ length: (end - begin) / stepMs }, (_, n) => found.get(begin + n * stepMs) ?? null);
  return { from: new Date(begin), values };
}
