export const name = '0060-job-not-before';

export const up = `
-- an item that waits for its time: the network's maintenance window
alter table job_item add column not_before timestamptz;
`;
