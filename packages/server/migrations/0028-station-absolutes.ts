export const name = '0028-station-absolutes';

export const up = `
-- absolute bytes of the terminals that the last committed report showed and whose rows in station_open are older than it
-- (telemetry/ingest/absolutes.ts). Rows stay whole up to a page: they are written with every report
alter table device_counters add column stations bytea;
alter table device_counters set (toast_tuple_target = 8000);
`;
