export const name = '0251-portal-member-radius';

/** Passwords of accounts that may sign in over RADIUS: CHAP and MS-CHAPv2 need them in clear. */
export const up = `
alter table portal_member add column radius_sealed bytea;
`;
