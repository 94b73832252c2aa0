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

export const up = `
-- of a gateway: the worst of its WANs that are up (ms, percent), and the DHCP leases of all its networks
alter table device_sample
  add column wan_latency real,
  add column wan_loss real,
  add column leases integer;
${rollups.join('\n')}

-- kept reports have load and temperature: their buckets are rolled up again
insert into platform.rollup_late (bucket)
select bucket from generate_series(
  (select min(to_date(right(c.relname, 8), 'YYYYMMDD'))::timestamp at time zone 'UTC'
   from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('device_sample')),
  (select until - interval '5 minutes' from platform.rollup_progress where name = 'device_sample'),
  interval '5 minutes') bucket;
`;
