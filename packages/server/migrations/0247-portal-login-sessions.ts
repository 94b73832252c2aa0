export const name = '0247-portal-login-sessions';

export const up = `
-- keyed hash of the application and its rules that let the guest in; others let it in anew
alter table portal_session add column login_rules bytea;
-- keyed hashes of the verified address and of the subject, by which an operator finds the guest
alter table portal_session add column login_names bytea[] not null default '{}';
`;
