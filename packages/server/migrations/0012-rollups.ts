export const name = '0012-rollups';

/** Shared by inserts of reports, exclusive for closing buckets; same key as in telemetry/rollups.ts. */
const closingLock = 0x79756e_01;

/**
 * Columns that add up by sum or maximum, equal in every layer. Averages are stored as sum and count. Sums are integers,
 * so that their order does not matter: clients in thousandths; percent, dBm and degrees in hundredths. Null: never
 * reported. `wide` columns exceed 32 bits above one device.
 */
function measures(wide: 'integer' | 'bigint'): string {
  const bands = (unit: (band: string) => string) => ['2g', '5g', '6g'].map(unit).join('\n  ');
  return `
  wan_down bigint not null, wan_up bigint not null,
  down_2g bigint not null, up_2g bigint not null,
  down_5g bigint not null, up_5g bigint not null,
  down_6g bigint not null, up_6g bigint not null,
  rate_sum bigint not null,
  tx_packets bigint not null, tx_retries bigint not null, tx_failed bigint not null,
  samples integer not null,
  restarts integer not null,
  weak_sum ${wide} not null, rssi_sum ${wide} not null, rssi_n ${wide} not null, rate_n ${wide} not null,
  -- terminals: a device's mean over five minutes, summed over devices; their sum and number over time, and the highest
  clients_sum ${wide}, clients_n integer, clients_max integer,
  ${bands((band) => `clients_${band}_sum ${wide}, clients_${band}_max integer,`)}
  cpu_sum ${wide}, cpu_n integer, cpu_max integer,
  mem_sum ${wide}, mem_n integer, mem_max integer,
  ${bands((band) => `util_${band}_sum ${wide}, util_${band}_n integer, util_${band}_max integer,`)}
  ${bands((band) => `noise_${band}_sum ${wide}, noise_${band}_n integer,`)}`;
}

/** Retention in days and partition size of each step, by scope. An account's fine rows serve 30-day charts. */
const steps = {
  '5m': { unit: 'day', days: { device: 14, network: 14, account: 35 } },
  '1h': { unit: 'month', days: { device: 400, network: 400, account: 400 } },
  '1d': { unit: 'year', days: { device: 3660, network: 3660, account: 3660 } },
} as const;

const scopes = {
  device: { columns: 'gwid uuid not null, serial text not null,', key: 'account_id, bucket, serial, gwid' },
  network: { columns: 'gwid uuid not null,', key: 'account_id, bucket, gwid' },
  account: { columns: '', key: 'account_id, bucket' },
} as const;

const tables = (Object.keys(scopes) as (keyof typeof scopes)[]).flatMap((scope) =>
  (Object.keys(steps) as (keyof typeof steps)[]).map((step) => {
    const table = `rollup_${scope}_${step}`;
    const { columns, key } = scopes[scope];
    const { unit, days } = steps[step];
    return `
create table ${table} (
  account_id uuid not null,
  bucket timestamptz not null,
  ${measures(scope === 'device' ? 'integer' : 'bigint')}
  ${columns}
  -- time first: the rows of a bucket are written together and lie together, and a line is read bucket by bucket
  primary key (${key})
) partition by range (bucket);
create index ${table}_bucket on ${table} using brin (bucket) with (pages_per_range = 32);
select platform.tenant_table('${table}'${scope === 'account' ? '' : ", 'gwid'"});
select platform.partition_by('${table}', '${unit}', ${days[scope]});
${scope === 'account' ? `select platform.whole_account_only('${table}');` : ''}`;
  }),
);

export const up = `
-- sums over the whole account are nothing for those who may see some networks of it
create function platform.whole_account_only(t text) returns void language plpgsql as $$
begin
  execute format('create policy whole on %I as restrictive to yunxun_app using ((select platform.networks()) is null)', t);
end $$;

-- device → network → account, and five minutes → hour → day (UTC): every layer is made from the one below
${tables.join('\n')}

-- how far each rollup has come: everything before this time is rolled up. The row device_sample is the time before which
-- reports count as late
create table platform.rollup_progress (
  name text primary key,
  until timestamptz not null
);
grant select, insert, update, delete on platform.rollup_progress to yunxun_system;
grant select on platform.rollup_progress to yunxun_app;

-- buckets of five minutes that reports came for after they were closed
create table platform.rollup_late (
  id bigint generated always as identity primary key,
  bucket timestamptz not null
);
grant select, insert, delete on platform.rollup_late to yunxun_system;
grant select on platform.rollup_late to yunxun_app;

-- Who inserts reports holds a lock until it commits, and who closes buckets waits for it (telemetry/rollups.ts): a report is
-- either seen by the rollup of its bucket, or noted here as late
create function platform.note_late_samples() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
declare
  bound timestamptz;
begin
  perform pg_advisory_xact_lock_shared(${closingLock});
  select until into bound from platform.rollup_progress where name = 'device_sample';
  if bound is not null then
    insert into platform.rollup_late (bucket)
    select distinct date_bin('5 minutes', at, 'epoch') from fresh where at < bound;
  end if;
  return null;
end $$;
create trigger note_late after insert on device_sample
  referencing new table as fresh for each statement execute function platform.note_late_samples();

-- accounts by their calendar, for what is counted by their days
create view account_calendar with (security_invoker = true) as
  select account_id, time_zone, (created_at at time zone time_zone)::date as first_day from account;
grant select on account_calendar to yunxun_system;

-- users of a closed day (the account's calendar), of a network or, with zeros, of the account; a visit is a terminal, a
-- network and a day. visits_…: by the time present that day in minutes or hours, and by the parts of the day it was seen in.
-- A day is counted when it closes, and for good some hours later (final)
create table users_day (
  account_id uuid not null references account on delete cascade,
  day date not null,
  gwid uuid not null,
  online integer not null,
  new_users integer not null,
  old_users integer not null,
  authenticated integer not null,
  visits integer not null,
  visits_lt30 integer not null, visits_gt30 integer not null,
  visits_1to2 integer not null, visits_2to4 integer not null, visits_gt4 integer not null,
  visits_0to6 integer not null, visits_6to11 integer not null, visits_11to14 integer not null,
  visits_14to19 integer not null, visits_19to24 integer not null,
  final boolean not null,
  primary key (account_id, day, gwid)
);
select platform.tenant_table('users_day', 'gwid');

-- the door for application flow: bytes and uses of a terminal by category and quarter of an hour, from whoever has a true source
create table app_flow (
  account_id uuid not null,
  bucket timestamptz not null,
  gwid uuid not null,
  serial text not null,
  mac text not null,
  category text not null,
  down bigint not null, up bigint not null,
  uses integer not null,
  primary key (account_id, bucket, gwid, serial, mac, category)
) partition by range (bucket);
select platform.tenant_table('app_flow', 'gwid');
select platform.partition_by('app_flow', 'day', 8);

create table app_flow_1h (
  account_id uuid not null,
  bucket timestamptz not null,
  gwid uuid not null,
  category text not null,
  down bigint not null, up bigint not null,
  uses bigint not null,
  primary key (account_id, bucket, gwid, category)
) partition by range (bucket);
select platform.tenant_table('app_flow_1h', 'gwid');
select platform.partition_by('app_flow_1h', 'month', 400);

-- who feeds the door: kind is edge or ipfix; last_seq makes a delivery that is repeated count once
create table app_flow_source (
  account_id uuid not null references account on delete cascade,
  serial text not null,
  gwid uuid not null,
  kind text not null,
  since timestamptz not null,
  last_at timestamptz not null,
  last_seq bigint not null,
  primary key (account_id, serial)
);
select platform.tenant_table('app_flow_source', 'gwid');
`;
