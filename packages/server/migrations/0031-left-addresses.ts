export const name = '0031-left-addresses';

/** Ended stays by client address, for complaints that name one. Ordered by bytes, so that a prefix is a range. */
export const up = `
create index station_session_ip on station_session (account_id, ip collate "C") where ip is not null;
`;
