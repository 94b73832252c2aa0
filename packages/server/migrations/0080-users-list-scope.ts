export const name = '0080-users-list-scope';

export const up = `
-- networks in which a blocked client is refused; null: in all networks of the account
alter table station_mark add column list_gwids uuid[];
`;
