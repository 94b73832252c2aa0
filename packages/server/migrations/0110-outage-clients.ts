export const name = '0110-outage-clients';

export const up = `
-- clients in the device's last report before the outage; null: no report said, or the outage is older than the column
alter table device_outage add column clients integer;
`;
