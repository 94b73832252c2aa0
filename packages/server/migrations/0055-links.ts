export const name = '0055-links';

export const up = `
-- who is connected to whom, as a device last said: LLDP neighbours, sockets, MACs by port (telemetry/extract/links.ts); a
-- report that says nothing of it leaves what was said before, with its time
alter table device_latest add column links jsonb, add column links_at timestamptz;
`;
