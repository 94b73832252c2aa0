export const name = '0064-nobody-there';

export const up = `
-- no job where no device is: a template is taken off empty networks and groups, settings come back to an empty network
alter table template_round alter column job_id drop not null;
alter table backup_restore alter column job_id drop not null;
`;
