export const name = '0021-time-present';

export const up = `
-- when a terminal was there on that day, in whole seconds since the day’s midnight in UTC: two devices may list it at the
-- same time, and tell of it in any order. What was written before this is in seconds only
alter table station_day add column present int4multirange not null default '{}';
`;
