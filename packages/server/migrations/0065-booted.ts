export const name = '0065-booted';

export const up = `
-- when a device last came back from a start, by its own word: what was told to restart and did not answer is judged by it
alter table device add column booted_at timestamptz;
`;
