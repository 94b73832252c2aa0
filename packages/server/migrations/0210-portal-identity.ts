export const name = '0210-portal-identity';

export const up = `
-- the whole phone number, sealed under the account's key; identity stays masked
alter table portal_session add column identity_sealed bytea;
`;
