export const name = '0215-portal-real-name';

export const up = `
-- real name and ID card of a guest account, sealed under the account's key
alter table portal_member add column real_sealed bytea;
`;
