/** The columns that every rollup has, and how they are made from the layer below: SQL as text, from constants only. */

const bands = ['2g', '5g', '6g'] as const;

/** Bytes and packets: whole numbers that sum up, never null. */
const flows = [
  ...['wan_down', 'wan_up', ...bands.flatMap((band) => [`down_${band}`, `up_${band}`])],
  ...['rate_sum', 'tx_packets', 'tx_retries', 'tx_failed'],
];
/** Sums of whole numbers that have 32 bits in a device's row and 64 above. */
const counts = ['weak_sum', 'rssi_sum', 'rssi_n', 'rate_n'];
const clients = ['clients', ...bands.map((band) => `clients_${band}`)];
const peaked = ['cpu', 'mem', ...bands.map((band) => `util_${band}`)];
const levels = [...peaked, ...bands.map((band) => `noise_${band}`)];

/** Every measure, by its column. */
export const measureColumns: readonly string[] = [
  ...flows,
  ...['samples', 'restarts'],
  ...counts,
  ...clients.map((column) => `${column}_sum`),
  'clients_n',
  ...clients.map((column) => `${column}_max`),
  ...levels.flatMap((column) => [`${column}_sum`, `${column}_n`]),
  ...peaked.map((column) => `${column}_max`),
];

/** What does not fit stays at the bound: no report may stop everybody's rollup. */
const fits32 = (expression: string) => `greatest(least(${expression}, 2147483647), -2147483648)::integer`;
/** Hundredths; what is no sensible number was not said. */
const hundredths = (column: string) =>
  `case when ${column} between -10000 and 10000 then round(${column}::float8 * 100)::integer end`;

const list = (expressions: Readonly<Record<string, string>>) =>
  measureColumns.map((column) => `${expressions[column]} as ${column}`).join(', ');

/**
 * Five minutes of devices from their reports: `select account_id, <bucket>, gwid, serial, … group by 1, 2, 3, 4`. A device
 * that changed its network in the bucket has a row in both, and its terminals are shared between them by its reports.
 */
export const measuresOfSamples: string = list({
  ...Object.fromEntries(flows.map((column) => [column, `sum(${column})::bigint`])),
  samples: 'count(*)::integer',
  restarts: '(count(*) filter (where restarted))::integer',
  weak_sum: fits32('sum(weak)'),
  rssi_sum: fits32('sum(rssi_sum)'),
  rssi_n: fits32('sum(rssi_n)'),
  rate_n: fits32('sum(rate_n)'),
  clients_n: 'case when count(clients) > 0 then 1 end',
  ...Object.fromEntries(
    clients.flatMap((column) => {
      const mean = fits32(
        `round(sum(${column}) * 1000.0 / nullif(sum(count(${column})) over (partition by account_id, serial, date_bin('5 minutes', at, 'epoch')), 0))`,
      );
      return [`${column}_sum`, `${column}_max`].map((name) => [name, mean]);
    }),
  ),
  ...Object.fromEntries(
    levels.flatMap((column) => {
      const value = hundredths(column);
      return [
        [`${column}_sum`, fits32(`sum(${value})`)],
        [`${column}_n`, `nullif(count(${value}), 0)::integer`],
        [`${column}_max`, `max(${value})`],
      ];
    }),
  ),
});

/**
 * From the rows of a layer below. `merge` puts lines of one bucket together: their terminals are there at the same time;
 * `fold` puts buckets of one line together. `narrow` is a device's row, with its 32 bits.
 */
export function measuresOf(how: 'merge' | 'fold', narrow = false): string {
  const level = (column: string) => (narrow ? fits32(`sum(${column})`) : `sum(${column})::bigint`);
  return list({
    ...Object.fromEntries(flows.map((column) => [column, `sum(${column})::bigint`])),
    samples: 'sum(samples)::integer',
    restarts: 'sum(restarts)::integer',
    ...Object.fromEntries(counts.map((column) => [column, level(column)])),
    clients_n: how === 'merge' ? 'max(clients_n)' : 'sum(clients_n)::integer',
    ...Object.fromEntries(
      clients.flatMap((column) => [
        [`${column}_sum`, level(`${column}_sum`)],
        [`${column}_max`, how === 'merge' ? fits32(`sum(${column}_max)`) : `max(${column}_max)`],
      ]),
    ),
    ...Object.fromEntries(
      levels.flatMap((column) => [
        [`${column}_sum`, level(`${column}_sum`)],
        [`${column}_n`, `sum(${column}_n)::integer`],
        [`${column}_max`, `max(${column}_max)`],
      ]),
    ),
  });
}
