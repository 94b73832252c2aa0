export const name = '0134-portal-entitlements';

/** What a guest's session was bought with, and the bytes that it may still move; 0: no limit. */
export const up = `
alter table portal_session add column entitlement_id uuid, add column max_bytes bigint not null default 0;
create index portal_session_entitlement on portal_session (account_id, entitlement_id) where entitlement_id is not null;
`;
