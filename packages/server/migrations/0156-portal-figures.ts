export const name = '0156-portal-figures';

export const up = `
create index portal_session_granted on portal_session (account_id, granted_at) where granted_at is not null;
create index portal_session_ended on portal_session (account_id, ended_at) where granted_at is not null;
`;
