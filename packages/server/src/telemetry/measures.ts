/** Columns of all rollups and their SQL, from constants only. */

const bands = ['2g', '5g', '6g'] as const;

/** Integer sums, never null. */
const flows = [
  'wan_down',
  'wan_up',
  'house_wan',
  ...bands.flatMap((band) => [`down_${band}`, `up_${band}`]),
  'rate_sum',
  'tx_packets',
  'tx_retries',
  'tx_failed',
];
/** 32 bits in device rows, 64 above. */
const counts = ['weak_sum', 'rssi_sum', 'rssi_n', 'rate_n'];
const clients = ['clients', ...bands.map((band) => `clients_${band}`)];
const peaked = ['cpu', 'mem', ...bands.map((band) => `util_${band}`)];
const levels = [
  ...peaked,
  ...bands.map((band) => `noise_${band}`),
  'load1',
  'temperature',
  'wan_latency',
  'wan_loss',
  'leases',
];

export const measureColumns: readonly string[] = [
  ...flows,
  'samples',
  'restarts',
  ...counts,
  ...clients.map((column) => `${column}_sum`),
  'clients_n',
  ...clients.map((column) => `${column}_max`),
  ...levels.flatMap((column) => [`${column}_sum`, `${column}_n`]),
  ...peaked.map((column) => `${column}_max`),
];

/** Clamps: no report may fail a shared rollup. */
const fits32 = (value: string) =>
  `(case when ${value} > 2147483647 then 2147483647 when ${value} < -2147483648 then -2147483648 else ${value} end)::integer`;
/** Leaves headroom for sums. */
const fits64 = (value: string) =>
  `(case when ${value} > 1000000000000000000 then 1000000000000000000 else ${value} end)::bigint`;
/** Stores hundredths; implausible values become null. */
const hundredths = (column: string) =>
  `case when ${column} between -10000 and 10000 then round(${column}::float8 * 100)::integer end`;

const list = (expressions: Readonly<Record<string, string>>, columns: readonly string[]) =>
  columns.map((column) => `, ${expressions[column]} as ${column}`).join('');

const fiveMinutes = "date_bin('5 minutes', at, 'epoch')";
const ofSamples: Readonly<Record<string, string>> = {
  ...Object.fromEntries(flows.map((column) => [column, fits64(`sum(${column})`)])),
  samples: 'count(*)::integer',
  restarts: '(count(*) filter (where restarted))::integer',
  weak_sum: fits32('sum(weak)'),
  rssi_sum: fits32('sum(rssi_sum)'),
  rssi_n: fits32('sum(rssi_n)'),
  rate_n: fits32('sum(rate_n)'),
  clients_n: 'case when count(clients) > 0 then 1 end',
  ...Object.fromEntries(
    clients.flatMap((column) => {
      const reports = `sum(count(${column})) over (partition by account_id, serial, ${fiveMinutes})`;
      const mean = fits32(`round(sum(${column}) * 1000.0 / nullif(${reports}, 0))`);
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
};

/**
 * Groups by account_id, bucket, gwid and serial. A device that changed its network has a row in both, which share its
 * clients by number of reports.
 */
export function measuresOfSamples(columns: readonly string[] = measureColumns): string {
  return list(ofSamples, columns);
}

/** `merge` adds clients of simultaneous rows, `fold` combines buckets. `narrow`: 32-bit device rows. */
export function measuresOf(how: 'merge' | 'fold', columns: readonly string[] = measureColumns, narrow = false): string {
  const level = (column: string) => (narrow ? fits32(`sum(${column})`) : fits64(`sum(${column})`));
  const expressions = {
    ...Object.fromEntries(flows.map((column) => [column, fits64(`sum(${column})`)])),
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
  };
  return list(expressions, columns);
}
