export const name = '0263-identity-guess-slots';

export const up = `
-- when each running check of a guess lets go of its slot at the latest
alter table throttle add column running timestamptz[] not null default '{}';
`;
