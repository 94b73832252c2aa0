export const name = '0262-alarms-browser-end';

export const up = `
-- when the push service ended the subscription; a browser that renews it continues the row
alter table alarm_browser add column ended_at timestamptz;
create index alarm_browser_ended on alarm_browser (ended_at) where ended_at is not null;
`;
