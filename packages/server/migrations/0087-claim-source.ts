export const name = '0087-claim-source';

export const up = `
-- where a serial was claimed from, as limits count addresses: an IPv4 address, or an IPv6 /64
alter table serial_directory add column source text;
create index serial_directory_unused on serial_directory (source, enrolled_at) where first_connected_at is null;
`;
