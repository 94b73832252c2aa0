export const name = '0345-portal-moves';

export const up = `
-- arrivals look for a session that waits for their device only until then
alter table portal_site add column moves_until timestamptz;
`;
