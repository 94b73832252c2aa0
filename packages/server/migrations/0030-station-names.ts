export const name = '0030-station-names';

/** Everybody ever seen in the order of host names, in which they are listed and looked through. */
export const up = `
create index station_named on station (account_id, hostname, mac);
`;
