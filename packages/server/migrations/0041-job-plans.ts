export const name = '0041-job-plans';

export const up = `
-- how the waves of a job follow each other (features/jobs/waves.ts), and what stopped it
alter table job add column plan jsonb;
alter table job add column stopped jsonb;
`;
