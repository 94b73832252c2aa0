export const name = '0266-portal-sms-device';

export const up = `
-- the device that asked for a code has attempts of its own
alter table portal_sms add column device_key bytea;
alter table portal_sms add column foreign_attempts integer not null default 0;
`;
