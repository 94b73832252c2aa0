import { type RawBuilder, sql } from 'kysely';
import { measureColumns, measuresOf, measuresOfSamples } from './measures.ts';

/** A rollup table and how it is made from the one below. */
export interface Layer {
  table: string;
  from: string;
  /** Length of a bucket, milliseconds, and as PostgreSQL says it. */
  length: number;
  interval: string;
  /** What goes into one transaction, milliseconds of the layer below. */
  slice: number;
  /** Key columns beside account and bucket. */
  keys: readonly string[];
  /** `samples`: from reports; `merge`: lines of a bucket together; `fold`: buckets of a line together. */
  how: 'samples' | 'merge' | 'fold';
}

export const minute = 60_000;
export const hour = 60 * minute;
const day = 24 * hour;
/** Length of the buckets that everything begins with, milliseconds. */
export const bucketLength = 5 * minute;

// in the order of the key: rows are written as the index wants them
const device = ['serial', 'gwid'];
const fine = { length: bucketLength, interval: '5 minutes' };
const hourly = { length: hour, interval: '1 hour', how: 'fold' as const };
const daily = { length: day, interval: '1 day', how: 'fold' as const };

/** Every layer, each after the one that it is made from. */
export const layers: readonly Layer[] = [
  { table: 'rollup_device_5m', from: 'device_sample', ...fine, slice: hour, keys: device, how: 'samples' },
  { table: 'rollup_network_5m', from: 'rollup_device_5m', ...fine, slice: 6 * hour, keys: ['gwid'], how: 'merge' },
  { table: 'rollup_account_5m', from: 'rollup_network_5m', ...fine, slice: day, keys: [], how: 'merge' },
  { table: 'rollup_device_1h', from: 'rollup_device_5m', ...hourly, slice: 3 * hour, keys: device },
  { table: 'rollup_network_1h', from: 'rollup_network_5m', ...hourly, slice: day, keys: ['gwid'] },
  { table: 'rollup_account_1h', from: 'rollup_account_5m', ...hourly, slice: 7 * day, keys: [] },
  { table: 'rollup_device_1d', from: 'rollup_device_1h', ...daily, slice: 2 * day, keys: device },
  { table: 'rollup_network_1d', from: 'rollup_network_1h', ...daily, slice: 7 * day, keys: ['gwid'] },
  { table: 'rollup_account_1d', from: 'rollup_account_1h', ...daily, slice: 30 * day, keys: [] },
];

/** The time that a layer's rows are ordered by. */
export const timeOf = (table: string): string => (table === 'device_sample' ? 'at' : 'bucket');

/** A stretch of time: its end is not in it. */
export type Stretch = readonly [from: Date, to: Date];

/** Writes the buckets of some stretches anew from the layer below. Rows that come out as they are stay untouched. */
export function recompute(layer: Layer, stretches: readonly Stretch[]): RawBuilder<unknown> {
  const keys = ['account_id', 'bucket', ...layer.keys];
  const columns = [...keys, ...measureColumns];
  const bucket = `date_bin('${layer.interval}', ${timeOf(layer.from)}, 'epoch')`;
  const narrow = layer.keys.includes('serial');
  const measures = layer.how === 'samples' ? measuresOfSamples() : measuresOf(layer.how, measureColumns, narrow);
  const time = sql.ref(timeOf(layer.from));
  const within = sql.join(
    stretches.map(([from, to]) => sql`(${time} >= ${from} and ${time} < ${to})`),
    sql` or `,
  );
  const own = measureColumns.map((column) => `${layer.table}.${column}`).join(', ');
  const fresh = measureColumns.map((column) => `excluded.${column}`).join(', ');
  return sql`
    insert into ${sql.table(layer.table)} (${sql.raw(columns.join(', '))})
    select account_id, ${sql.raw([`${bucket} as bucket`, ...layer.keys].join(', '))}${sql.raw(measures)}
    from ${sql.table(layer.from)}
    where ${within}
    group by ${sql.raw(keys.map((_, index) => index + 1).join(', '))}
    order by ${sql.raw(keys.map((_, index) => index + 1).join(', '))}
    on conflict (${sql.raw(keys.join(', '))}) do update
      set ${sql.raw(measureColumns.map((column) => `${column} = excluded.${column}`).join(', '))}
      where (${sql.raw(own)}) is distinct from (${sql.raw(fresh)})`;
}

/** The begin of the bucket of a layer that a time is in. */
export function floorTo(length: number, time: Date): Date {
  return new Date(Math.floor(time.getTime() / length) * length);
}

/** The end of it; the time itself where it is a bound. */
export function ceilTo(length: number, time: Date): Date {
  return new Date(Math.ceil(time.getTime() / length) * length);
}
