import { type RawBuilder, sql } from 'kysely';
import { wholeAccount } from './day-counts.ts';
import { measureColumns, measuresOf, measuresOfSamples } from './measures.ts';

export interface Layer {
  table: string;
  from: string;
  /** Milliseconds, and a PostgreSQL interval. */
  length: number;
  interval: string;
  /** Milliseconds per transaction. */
  slice: number;
  keys: readonly string[];
  /** `merge` sums rows of a bucket, `fold` buckets of a row. */
  how: 'samples' | 'merge' | 'fold';
}

export const minute = 60_000;
export const hour = 60 * minute;
const day = 24 * hour;
/** Milliseconds. */
export const bucketLength = 5 * minute;

// index order, for sequential writes
const device = ['serial', 'gwid'];
const fine = { length: bucketLength, interval: '5 minutes' };
const hourly = { length: hour, interval: '1 hour', how: 'fold' as const };
const daily = { length: day, interval: '1 day', how: 'fold' as const };

/** Each after its source. */
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

export const timeOf = (table: string): string => (table === 'device_sample' ? 'at' : 'bucket');

/** End exclusive. */
export type Stretch = readonly [from: Date, to: Date];

/** Leaves unchanged rows unwritten. */
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
    where (${within})${layer.how === 'merge' && layer.keys.length === 0 ? inNetworks : sql``}
    group by ${sql.raw(keys.map((_, index) => index + 1).join(', '))}
    order by ${sql.raw(keys.map((_, index) => index + 1).join(', '))}
    on conflict (${sql.raw(keys.join(', '))}) do update
      set ${sql.raw(measureColumns.map((column) => `${column} = excluded.${column}`).join(', '))}
      where (${sql.raw(own)}) is distinct from (${sql.raw(fresh)})`;
}

/** An account is the sum of its networks. */
export const inNetworks: RawBuilder<unknown> = sql` and gwid <> ${wholeAccount}`;

export function floorTo(length: number, time: Date): Date {
  return new Date(Math.floor(time.getTime() / length) * length);
}

export function ceilTo(length: number, time: Date): Date {
  return new Date(Math.ceil(time.getTime() / length) * length);
}
