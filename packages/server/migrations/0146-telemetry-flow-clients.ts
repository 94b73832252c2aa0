export const name = '0146-telemetry-flow-clients';

/** Application flow of clients by hour, for spans that the five-minute rows of `app_flow` do not reach. */
export const up = `
create table app_flow_client_1h (
  account_id uuid not null,
  bucket timestamptz not null,
  gwid uuid not null,
  serial text not null,
  mac text not null,
  category text not null,
  down bigint not null, up bigint not null,
  uses bigint not null,
  primary key (account_id, bucket, gwid, serial, mac, category)
) partition by range (bucket);
create index app_flow_client_1h_mac on app_flow_client_1h (account_id, mac, bucket);
select platform.tenant_table('app_flow_client_1h', 'gwid');
select platform.partition_by('app_flow_client_1h', 'day', 40);
`;
