export const name = '0022-edge';

export const up = `
-- what a gateway under our own agent says beyond the firmware’s report: connections, lines, disk (extract/edge.ts, KeptEdge)
alter table device_latest add column edge jsonb;
`;
