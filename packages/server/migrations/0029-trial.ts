export const name = '0029-trial';

export const up = `
-- a gateway tries a configuration out and returns by itself unless it is confirmed until then; kept when it has returned
alter table config_state add column trial_until timestamptz;
-- the same as lists show it, beside sync_state
alter table device add column trial_until timestamptz;
`;
