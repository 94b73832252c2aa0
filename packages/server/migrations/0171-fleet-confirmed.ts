export const name = '0171-fleet-confirmed';

/** Devices whose place no person and no trusted address has confirmed get no settings. */
export const up = `
-- devices from the address of a site may join, unless a network says otherwise
alter table account add column trust_sites boolean not null default true;

alter table network drop constraint network_join_rule_check;
alter table network add constraint network_join_rule_check check (join_rule in ('account', 'click', 'site', 'code'));
alter table network alter column join_rule set default 'account';
update network set join_rule = 'account' where join_rule = 'site';

-- devices of before are known to their accounts
alter table device add column confirmed boolean not null default true;
alter table device alter column confirmed set default false;
create index device_unconfirmed on device (account_id) where not confirmed and gwid is not null;
`;
