export const name = '0066-speed-tests';

export const up = `
-- the ways (down, up) of a speed test that its address has served: each works once
alter table tool_run add column speed_ways text[] not null default '{}';
`;
