export const name = '0062-taken-off';

export const up = `
-- a push that takes a template off those that have it
alter table template_change add column takes_off boolean not null default false;
`;
