import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { raiseWorkMem } from './work-mem.ts';

/** Seconds between past levels. */
export const levelStepS = 300;

/** Ten-minute means every five minutes. WANs: the worst of a gateway. Leases: percent of its only pool. */
export type PastLevel = 'memory' | 'busy' | 'temperature' | 'load' | 'latency' | 'loss' | 'leases';

/** Keys by serial. */
export type PoolSizes = ReadonlyMap<string, { size: number; outside: number }>;

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

/** Columns, by radio. */
export const levelColumns: Readonly<Record<PastLevel, readonly string[]>> = {
  memory: ['mem'],
  busy: ['util_2g', 'util_5g', 'util_6g'],
  temperature: ['temperature'],
  load: ['load1'],
  latency: ['wan_latency'],
  loss: ['wan_loss'],
  leases: ['leases'],
};

/** Rolled up since migration 0190; earlier buckets are null. */
const younger: ReadonlySet<PastLevel> = new Set(['temperature', 'load', 'latency', 'loss', 'leases']);

/** Reports are rolled up until this time. */
const closed = sql`coalesce(
  (select until from platform.rollup_progress where name = 'rollup_device_5m'), '-infinity')`;

/** Selects `(serial, bucket, s0, n0, …)` of rollups, and of the reports that follow them. */
export function levelRows(level: PastLevel, within: (time: string) => RawBuilder<unknown>): RawBuilder<unknown> {
  const columns = levelColumns[level];
  const rolled = columns.map((one, n) => `${one}_sum / 100.0::float8 as s${n}, ${one}_n::bigint as n${n}`);
  const reported = columns.map((one, n) => `sum(${one})::float8 as s${n}, nullif(count(${one}), 0) as n${n}`);
  return sql`
    select serial, bucket, ${sql.raw(rolled.join(', '))} from rollup_device_5m where ${within('bucket')}
    union all
    select serial, date_bin('5 minutes', at, 'epoch') as bucket, ${sql.raw(reported.join(', '))}
    from device_sample where ${within('at')} and at >= ${closed} group by 1, 2`;
}

/** Returns null if none are kept. */
export async function levelsSince(tx: Tx, accountId: string, level: PastLevel): Promise<Date | null> {
  const column = levelColumns[level][0]!;
  const known = younger.has(level)
    ? sql`(select min(bucket) from rollup_account_5m
        where account_id = ${accountId} and ${sql.ref(`${column}_n`)} is not null)`
    : sql`'-infinity'::timestamptz`;
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select case when ${known} is not null then greatest(min(bucket), ${known}) end
        from rollup_device_5m where account_id = ${accountId}),
      (select min(at) from device_sample where account_id = ${accountId} and at >= ${closed})) as at
  `.execute(tx);
  return rows[0]?.at ?? null;
}

/** Latest only. */
const maxTurns = 50_000;

/**
 * Returns turns of devices that reached a limit, by device and time, and since when they are complete. A level is the
 * ten-minute mean of the busiest radio.
 * @param pools of leases; gateways without one are left out
 */
export async function levelTurns(
  tx: Tx,
  accountId: string,
  {
    level,
    limits,
    from,
    to,
    pools,
  }: { level: PastLevel; limits: readonly number[]; from: Date; to: Date; pools?: PoolSizes },
): Promise<{ turns: LevelTurn[]; since: Date }> {
  if (limits.length === 0 || pools?.size === 0) return { turns: [], since: from };
  await raiseWorkMem(tx);
  const parts = levelColumns[level];
  const within = (time: string) =>
    sql`account_id = ${accountId} and ${sql.ref(time)} >= ${from} and ${sql.ref(time)} < ${to}`;
  const lowest = Math.min(...limits);
  const isHot = sql.join(
    parts.map((_, n) => sql`(${sql.raw(`n${n}`)} > 0 and ${sql.raw(`s${n}`)} >= ${lowest} * ${sql.raw(`n${n}`)})`),
    sql` or `,
  );
  const ten = parts.map((_, n) => `sum(s${n}) over ten / nullif(sum(n${n}) over ten, 0)`).join(', ');
  const wanted = pools
    ? sql`select serial from pool`
    : sql`select distinct serial from (${levelRows(level, within)}) part where ${isHot}`;
  const { rows } = await sql<LevelTurn>`
    with pool as (${poolRows(pools ?? new Map())}), wanted as materialized (${wanted}), mean as (
      select serial, bucket + interval '5 minutes' as at, greatest(${sql.raw(ten)}) as value
      from (${levelRows(level, (time) => sql`${within(time)} and serial in (select serial from wanted)`)}) part
      window ten as (partition by serial order by bucket range between interval '5 minutes' preceding and current row)
    ), scaled as (
      select serial, at, ${pools ? poolPercent : sql`value`} as value from mean left join pool using (serial)
    ), level as (
      select serial, at, value, each.value_limit, value >= each.value_limit as high, lag(at) over device as before,
        lag(value >= each.value_limit) over device as was, lead(at) over device as next
      from scaled cross join unnest(${[...new Set(limits)]}::float8[]) as each (value_limit) where value is not null
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

export const poolPercent = sql`least(100, 100 * greatest(0, value - outside) / size)`;

export function poolRows(pools: PoolSizes): RawBuilder<unknown> {
  const all = [...pools];
  return sql`select * from unnest(${all.map(([serial]) => serial)}::text[], ${all.map(([, { size }]) => size)}::integer[],
    ${all.map(([, { outside }]) => outside)}::integer[]) as p (serial, size, outside)`;
}

/** Latest only. */
const maxCurve = 2016;

/** Returns five-minute means of the busiest radio; null without data. */
export async function levelCurve(
  tx: Tx,
  accountId: string,
  { level, serial, from, to, pools }: { level: PastLevel; serial: string; from: Date; to: Date; pools?: PoolSizes },
): Promise<{ from: Date; values: (number | null)[] }> {
  const stepMs = levelStepS * 1000;
  const end = Math.ceil(to.getTime() / stepMs) * stepMs;
  const begin = Math.max(Math.floor(from.getTime() / stepMs) * stepMs, end - maxCurve * stepMs);
  const within = (time: string) => sql`account_id = ${accountId} and serial = ${serial}
    and ${sql.ref(time)} >= ${new Date(begin)} and ${sql.ref(time)} < ${new Date(end)}`;
  const means = levelColumns[level].map((_, n) => `s${n} / nullif(n${n}, 0)`).join(', ');
  const { rows } = await sql<{ at: Date; value: number | null }>`
    with pool as (${poolRows(pools ?? new Map())}), mean as (
      select serial, bucket, greatest(${sql.raw(means)}) as value from (${levelRows(level, within)}) part)
    select bucket as at, round((${pools ? poolPercent : sql`value`})::numeric, 1)::float8 as value
    from mean left join pool using (serial)
  `.execute(tx);
  const found = new Map(rows.map(({ at, value }) => [at.getTime(), value]));
  const values = Array.from({ length: (end - begin) / stepMs }, (_, n) => found.get(begin + n * stepMs) ?? null);
  return { from: new Date(begin), values };
}
