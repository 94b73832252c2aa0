export const name = '0005-job-woken';

export const up = `
-- its device came back while the item was being worked on: when it then wants to wait for the device, it runs again instead
alter table job_item add column woken boolean not null default false;
`;
