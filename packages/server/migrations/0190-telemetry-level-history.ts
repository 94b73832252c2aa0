export const name = '0190-telemetry-level-history';

const columns = ['load1', 'temperature', 'wan_latency', 'wan_loss', 'leases'];
const scopes = [
  { scope: 'device', wide: 'integer' },
  { scope: 'network', wide: 'bigint' },
  { scope: 'account', wide: 'bigint' },
];

/** Sums in hundredths with their count, as those of 0012. */
const rollups = scopes.flatMap(({ scope, wide }) =>
  ['5m', '1h', '1d'].map(
    (step) => `
alter table rollup_${scope}_${step}
  ${columns.map((column) => `add column ${column}_sum ${wide}, add column ${column}_n integer`).join(',\n  ')};`,
  ),
);

/** Earlier buckets stay without them: rolling days up again would send every chart to the reports meanwhile. */
export const up = `
-- of a gateway: the worst of its WANs that are up (ms, percent), and the DHCP leases of all its networks
alter table device_sample
  add column wan_latency real,
  add column wan_loss real,
  add column leases integer;
${rollups.join('\n')}
`;
