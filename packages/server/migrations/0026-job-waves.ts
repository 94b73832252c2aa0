export const name = '0026-job-waves';

export const up = `
-- items of a later wave begin once those of the one before have ended well (features/jobs/waves.ts)
alter table job_item add column wave smallint not null default 0;
`;
