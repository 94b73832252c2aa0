export const name = '0299-peripherals-power';

export const up = `
-- when the console last restarted its PoE
alter table reported_port add column power_cycled_at timestamptz;
`;
