export const name = '0230-client-ipv6';

/** A client has both families; the prefix of either is searched as a range, as in 0031 and 0098. */
export const up = `
alter table station_open add column ip6 text;
alter table station_session add column ip6 text;
create index station_open_ip6 on station_open (account_id, ip6 collate "C") where ip6 is not null;
create index station_session_ip6 on station_session (account_id, ip6 collate "C") where ip6 is not null;
`;
