export const name = '0340-portal-accounting';

export const up = `
-- row security keeps conditions with functions from indexes: each look-up read all accounts of the network
alter table portal_member
  add column name_key text not null generated always as (lower(name)) stored,
  add column name_plain text not null generated always as (lower(normalize(name, nfkc))) stored;
drop index portal_member_name;
create unique index portal_member_name on portal_member (account_id, gwid, name_key);
create index portal_member_plain on portal_member (account_id, gwid, name_plain);
-- accounting finds its session by ticket, by the gateway's id, or by the device. Without the network: planners take
-- account and network for independent, and prefer any other index that begins with both
drop index portal_session_ticket;
create unique index portal_session_ticket on portal_session (account_id, ticket);
create index portal_session_acct on portal_session (account_id, acct_session_id, made_at desc)
  where acct_session_id is not null;
create index portal_session_mac on portal_session (account_id, mac) where state = 'online';
`;
