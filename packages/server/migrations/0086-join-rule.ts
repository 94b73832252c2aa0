export const name = '0086-join-rule';

export const up = `
-- which new devices join a network by themselves and so receive its settings: none ('click'), those from the address of
-- its site ('site'), or every one that knows a binding code ('code')
alter table network add column join_rule text not null default 'site' check (join_rule in ('click', 'site', 'code'));

-- the network that a device named at enrolment and has not joined: it waits for a person
alter table device add column wanted_gwid uuid;
`;
