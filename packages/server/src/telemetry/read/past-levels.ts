import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';

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
  await sql`select set_config('work_mem', '128MB', true), set_config('enable_nestloop', 'off', true)`.execute(tx);
  const parts = levelColumns[level];
  const within = (time: string) =>
    sql`account_id = ${accountId} and ${sql.ref(time)} >= ${from} and ${sql.ref(time)} < ${to}`;
  const lowest = Math.min(...limits);
  const isHot = sql.join(
    parts.map((_, n) => sql`(${sql.raw(`n${n}`)} > 0 and ${sql.raw(`s${n}`)} >= ${lowest} * ${sql.raw(`n${n}`)})`),
    sql` or `,
  );
  const each = parts.map((_, n) => n);
  const sums = each.map((n) => `sum(s${n}) as s${n}, sum(n${n}::integer) as n${n}`).join(', ');
  const earlier = each.map((n) => `lag(s${n}) over device as p${n}, lag(n${n}) over device as q${n}`).join(', ');
  const ten = (own: string, before: string) =>
    `coalesce(${own}, 0) + case when near then coalesce(${before}, 0) else 0 end`;
  const means = each.map((n) => `(${ten(`s${n}`, `p${n}`)}) / nullif(${ten(`n${n}`, `q${n}`)}, 0)`).join(', ');
  const wanted = pools
    ? sql`select serial from pool`
    : sql`select distinct serial from (${levelRows(level, within)}) part where ${isHot}`;
  const mean = sql`select serial, bucket, greatest(${sql.raw(means)}) as value from pair`;
  const scaled = pools
    ? sql`select serial, bucket, ${poolPercent} as value from (${mean}) mean join pool using (serial)`
    : mean;
  // nested loops look up each bucket of each device
  const { rows } = await sql<LevelTurn>`
    with pool as (${poolRows(pools ?? new Map())}), wanted as materialized (${wanted}), part as (
      select serial, bucket, ${sql.raw(sums)}
      from (${levelRows(level, (time) => sql`${within(time)} and serial in (select serial from wanted)`)}) part
      group by serial, bucket
    ), pair as (
      select *, lag(bucket) over device = bucket - interval '5 minutes' as near, ${sql.raw(earlier)}
      from part window device as (partition by serial order by bucket)
    ), level as (
      select serial, bucket, value, lag(bucket) over device as before, lag(value) over device as was,
        lead(bucket) over device as next
      from (${scaled}) scaled where value is not null window device as (partition by serial order by bucket)
    )
    select serial, (extract(epoch from bucket + interval '5 minutes') * 1000)::float8 as at,
      (extract(epoch from before + interval '5 minutes') * 1000)::float8 as before,
      round(value::numeric, 1)::float8 as value, value_limit as "limit", value >= value_limit as "isHigh"
    from level cross join unnest(${[...new Set(limits)]}::float8[]) as each (value_limit)
    where (value >= value_limit) is distinct from (was >= value_limit) or bucket - before > interval '10 minutes'
      or next is null
    order by bucket desc limit ${maxTurns}
  `.execute(tx);
  await sql`select set_config('enable_nestloop', 'on', true)`.execute(tx);
  const turns = rows.toSorted((a, b) => {
    if (a.serial !== b.serial) return a.serial < b.serial ? -1 : 1;
    return a.at - b.at;
  });
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
