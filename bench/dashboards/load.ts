import pg from 'pg';
import type { BenchDatabase } from '../lib/database.ts';
import { inParallel } from '../lib/stats.ts';
import type { Lived } from './lives.ts';

/** Retention in hours: measured accounts and others; null: all. */
interface Copied {
  table: string;
  time: string | null;
  by: 'device' | 'network' | 'station';
  measured: number | null;
  others: number | null;
}

export function plan(otherDays: number): Copied[] {
  const day = 24;
  const device = { time: 'bucket', by: 'device' } as const;
  const network = { time: 'bucket', by: 'network' } as const;
  const station = { by: 'station' } as const;
  return [
    { table: 'rollup_device_5m', ...device, measured: day, others: 2 },
    { table: 'rollup_device_1h', ...device, measured: null, others: otherDays * day },
    { table: 'rollup_device_1d', ...device, measured: null, others: null },
    { table: 'rollup_network_5m', ...network, measured: 2 * day, others: 2 * day },
    { table: 'rollup_network_1h', ...network, measured: null, others: null },
    { table: 'rollup_network_1d', ...network, measured: null, others: null },
    { table: 'users_day', time: 'day', by: 'network', measured: null, others: null },
    { table: 'uplink_day', time: 'day', by: 'network', measured: null, others: null },
    { table: 'device_sample', time: 'at', by: 'device', measured: 1, others: 1 },
    { table: 'station', time: 'last_seen', ...station, measured: null, others: otherDays * day },
    { table: 'station_open', time: null, ...station, measured: null, others: null },
    { table: 'station_day', time: 'day', ...station, measured: null, others: otherDays * day },
    { table: 'station_session', time: 'ended_at', ...station, measured: day, others: 1 },
    { table: 'station_quarter', time: 'bucket', ...station, measured: 3, others: 0 },
  ];
}

const zero = '00000000-0000-0000-0000-000000000000';
/** Networks per transaction; rows of an account stay together in the indexes. */
const slice = 250;
const writers = 2;
const serialOfCopy = `'9d' || lpad(to_hex(s.n * 10 + pd.d), 10, '0')`;
const macOfCopy = `substr(t.mac, 1, 2) || lpad(to_hex(s.n), 6, '0') || lpad(to_hex(pm.k), 4, '0')`;

export async function replicate(
  bench: BenchDatabase,
  pattern: { accountId: string; lived: readonly Lived[] },
  measured: readonly string[],
  otherDays: number,
): Promise<void> {
  const { owner } = bench;
  await map(owner, pattern, measured);
  const { rows } = await owner.query<{ last: number }>('select max(n)::int as last from copy_site');
  const last = rows[0]?.last ?? 0;
  await inParallel(plan(otherDays), writers, async (copied) => {
    const writer = new pg.Client({ connectionString: bench.url });
    await writer.connect();
    try {
      // no triggers: the pattern's rows passed them
      await writer.query('set session_replication_role = replica; set synchronous_commit = off; set jit = off');
      await copy(writer, copied, pattern.accountId, last);
    } finally {
      await writer.end();
    }
  });
  await wholeAccounts(owner, 'users_day', ['final']);
  await owner.query(
    `select platform.recount_visits((now() at time zone 'UTC')::date - 2), platform.recount_stations(), platform.recount_present()`,
  );
  await wholeAccounts(owner, 'uplink_day', []);
  await owner.query(
    `insert into uplink_progress (account_id, until)
     select c.account_id, p.until from (select distinct account_id from copy_site) c, uplink_progress p
     where p.account_id = $1 on conflict (account_id) do update set until = excluded.until`,
    [pattern.accountId],
  );
}

async function copy(
  writer: pg.Client,
  { table, time, by, measured, others }: Copied,
  accountId: string,
  last: number,
): Promise<void> {
  const began = performance.now();
  const text = await copying(writer, table, by);
  const young = (hours: number | null) =>
    hours === null || time === null ? 'true' : `t.${time} > now() - interval '${hours} hours'`;
  const filter =
    measured === others ? young(measured) : `case when s.measured then ${young(measured)} else ${young(others)} end`;
  const oldest = measured === null ? 'true' : young(Math.max(measured, others ?? 0));
  let count = 0;
  for (let first = 1; first <= last; first += slice) {
    const written = await writer.query(`${text} and ${oldest} and ${filter} and s.n >= $2 and s.n < $3`, [
      accountId,
      first,
      first + slice,
    ]);
    count += written.rowCount ?? 0;
  }
  console.log(`${table}: ${count} rows in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

async function map(
  owner: pg.Client,
  { accountId, lived }: { accountId: string; lived: readonly Lived[] },
  measured: readonly string[],
): Promise<void> {
  const boxes = lived.flatMap(({ serials }, p) => serials.map((serial, d) => ({ p, d, serial })));
  await owner.query(
    'create unlogged table pattern_site as select * from unnest($1::int[], $2::uuid[]) as t (p, gwid)',
    [lived.map((_, p) => p), lived.map(({ gwid }) => gwid)],
  );
  await owner.query(
    'create unlogged table pattern_device as select * from unnest($1::int[], $2::int[], $3::text[]) as t (p, d, serial)',
    [boxes.map(({ p }) => p), boxes.map(({ d }) => d), boxes.map(({ serial }) => serial)],
  );
  await owner.query(
    `create unlogged table pattern_station as select p, mac, row_number() over (partition by p order by mac)::int as k
     from (select distinct p, mac from station_day join pattern_site using (gwid) where account_id = $1) seen`,
    [accountId],
  );
  await owner.query(
    `create unlogged table copy_site as select account_id, gwid, n, (n % $2)::int as p, account_id = any($3::uuid[]) as measured
     from (select account_id, gwid, (('x' || lpad(substr(gateway_serial, 3), 16, '0'))::bit(64)::bigint / 10)::int as n
       from network where gateway_serial like '9d%' and account_id <> $1) site`,
    [accountId, lived.length, measured],
  );
  await owner.query('create index on copy_site (n)');
  await owner.query('analyze pattern_site; analyze pattern_device; analyze pattern_station; analyze copy_site');
}

async function copying(owner: pg.Client, table: string, by: Copied['by']): Promise<string> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  const copied: Record<string, string> = {
    account_id: 's.account_id',
    gwid: 's.gwid',
    serial: serialOfCopy,
    mac: macOfCopy,
  };
  const has = (name: string) => names.includes(name);
  const joins = [
    ...(has('serial') ? ['join pattern_device pd on pd.serial = t.serial'] : []),
    ...(has('mac') ? ['join pattern_station pm on pm.mac = t.mac'] : []),
    ...(by === 'network' ? ['join pattern_site ps on ps.gwid = t.gwid'] : []),
  ];
  const place = { device: 'pd.p', network: 'ps.p', station: 'pm.p' }[by];
  const same = has('serial') && has('mac') ? ' and pd.p = pm.p' : '';
  return `insert into ${table} (${names.join(', ')}) select ${names.map((name) => copied[name] ?? `t.${name}`).join(', ')}
    from ${table} t ${joins.join(' ')} join copy_site s on s.p = ${place}${same} where t.account_id = $1`;
}

async function wholeAccounts(owner: pg.Client, table: string, flags: readonly string[]): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and attname <> all('{account_id,day,gwid}')`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  const sums = names.map((name) => (flags.includes(name) ? `bool_and(${name})` : `sum(${name})`));
  await owner.query(`delete from ${table} where gwid = '${zero}' and account_id in (select account_id from copy_site)`);
  await owner.query(
    `insert into ${table} (account_id, day, gwid, ${names.join(', ')})
     select account_id, day, '${zero}', ${sums.join(', ')} from ${table}
     where gwid <> '${zero}' and account_id in (select account_id from copy_site) group by 1, 2`,
  );
}
