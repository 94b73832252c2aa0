export const name = '0030-station-names';

/** All known clients in the order of host names, for lists and searches. */
export const up = `
create index station_named on station (account_id, hostname, mac);
`;
