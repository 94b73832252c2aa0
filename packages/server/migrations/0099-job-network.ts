export const name = '0099-job-network';

export const up = `
-- what jobs did in a network over a span of time, for its timeline
create index job_item_network on job_item (account_id, gwid, started_at) where started_at is not null;
`;
