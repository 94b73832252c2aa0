export const name = '0191-alarms-rule-scopes';

/** Several rules of a kind: besides the main one, others for some networks or groups. */
export const up = `
alter table alarm_rule
  add column id uuid not null default gen_random_uuid(),
  -- the rule of its kind for all places without one of their own
  add column main boolean not null default true;
alter table alarm_rule alter column id drop default, alter column main drop default;
alter table alarm_rule drop constraint alarm_rule_pkey;
alter table alarm_rule add primary key (account_id, id);
create unique index alarm_rule_main on alarm_rule (account_id, kind) where main;
alter table alarm_rule add check (main or scope <> 'all');
`;
