export const name = '0031-left-addresses';

/**
 * Stays that are over by the address that a terminal had: complaints name one ("what was 192.168.1.36 yesterday?"). By
 * bytes, so that the beginning of an address is a range of it; entries of one address share their key's room.
 */
export const up = `
create index station_session_ip on station_session (account_id, ip collate "C") where ip is not null;
`;
