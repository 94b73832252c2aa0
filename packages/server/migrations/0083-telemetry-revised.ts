export const name = '0083-telemetry-revised';

export const up = `
-- a report may show that the one before counted too much: its sample is corrected, and its bucket rolled up again
create trigger note_revised after update on device_sample
  referencing new table as fresh for each statement execute function platform.note_late_samples();

-- bytes that the last report of a session added, which the next one may take back
alter table station_open add column revocable_tx bigint not null default 0, add column revocable_rx bigint not null default 0;
-- absolutes are packed otherwise; sessions go on from their rows
update device_counters set stations = null where stations is not null;
`;
