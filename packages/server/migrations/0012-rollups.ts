export const name = '0012-rollups';

/** What sums to sums and maxima to maxima; every layer has the same columns. Averages are sum by number, never averaged again. */
const measures = `
  samples integer not null,
  restarts integer not null,
  wan_down bigint not null, wan_up bigint not null,
  down_2g bigint not null, up_2g bigint not null,
  down_5g bigint not null, up_5g bigint not null,
  down_6g bigint not null, up_6g bigint not null,
  -- terminals: mean over the bucket of one device, summed over devices, as sum and number of five-minute means; and the highest such sum
  clients_sum double precision not null, clients_n integer not null, clients_max real not null,
  clients_2g_max real not null, clients_5g_max real not null, clients_6g_max real not null,
  cpu_sum double precision not null, cpu_n integer not null, cpu_max real,
  mem_sum double precision not null, mem_n integer not null, mem_max real,
  util_2g_sum double precision not null, util_2g_n integer not null, util_2g_max real,
  util_5g_sum double precision not null, util_5g_n integer not null, util_5g_max real,
  util_6g_sum double precision not null, util_6g_n integer not null, util_6g_max real,
  noise_2g_sum double precision not null, noise_2g_n integer not null,
  noise_5g_sum double precision not null, noise_5g_n integer not null,
  noise_6g_sum double precision not null, noise_6g_n integer not null,
  weak_sum bigint not null, rssi_sum bigint not null, rssi_n bigint not null,
  rate_sum bigint not null, rate_n bigint not null,
  tx_packets bigint not null, tx_retries bigint not null, tx_failed bigint not null`;

/** Days that each step is kept. */
const steps = { '5m': 14, '1h': 400, '1d': 3660 } as const;

const scopes = { device: ['serial text', 'gwid uuid'], network: ['gwid uuid'], account: [] } as const;

const tables = Object.entries(scopes).flatMap(([scope, columns]) =>
  Object.entries(steps).map(([step, days]) => {
    const table = `rollup_${scope}_${step}`;
    const keys = columns.map((column) => column.split(' ')[0]);
    const daily = step === '5m';
    return `
create table ${table} (
  account_id uuid not null,
  ${columns.map((column) => `${column} not null,`).join(' ')}
  bucket timestamptz not null,
  ${measures},
  primary key (${['account_id', ...keys, 'bucket'].join(', ')})
)${daily ? ' partition by range (bucket)' : ''};
create index ${table}_bucket on ${table} using brin (bucket);
select platform.tenant_table('${table}'${scope === 'account' ? '' : ", 'gwid'"});
${daily ? `select platform.partition_by_day('${table}', ${days});` : ''}`;
  }),
);

export const up = `
-- device → network → account, and five minutes → hour → day (UTC): every layer is made from the one below
${tables.join('\n')}

-- how far each rollup has come: everything before this time is rolled up, but for what comes late
create table platform.rollup_progress (
  name text primary key,
  until timestamptz not null
);
grant select, insert, update, delete on platform.rollup_progress to yunxun_system;

-- users of a closed day (the account's calendar), of a network or, with zeros, of the account
create table users_day (
  account_id uuid not null references account on delete cascade,
  day date not null,
  gwid uuid not null,
  online integer not null,
  new_users integer not null,
  old_users integer not null,
  authenticated integer not null,
  primary key (account_id, day, gwid)
);
select platform.tenant_table('users_day', 'gwid');

-- the door for application flow: bytes and uses of a terminal by category and quarter of an hour, from whoever has a true source.
-- seq makes a delivery that is repeated count once
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
select platform.partition_by_day('app_flow', 8);

create table app_flow_1h (
  account_id uuid not null references account on delete cascade,
  bucket timestamptz not null,
  gwid uuid not null,
  category text not null,
  down bigint not null, up bigint not null,
  uses bigint not null,
  primary key (account_id, bucket, gwid, category)
);
select platform.tenant_table('app_flow_1h', 'gwid');

-- who feeds the door for a network: kind is edge or ipfix
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
