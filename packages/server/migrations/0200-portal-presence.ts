export const name = '0200-portal-presence';

/** When a guest's device was last active, and when the guest extended the session; each extension counts as a sign-in. */
export const up = `
alter table portal_session
  add column active_at timestamptz,
  add column extended_at timestamptz[] not null default '{}';
`;
