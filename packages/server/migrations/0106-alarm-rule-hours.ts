export const name = '0106-alarm-rule-hours';

export const up = `
-- hours: weekly, in the account's time zone; null: always. preset: whose values the rule has; null: a person's
alter table alarm_rule
  add column hours jsonb,
  add column preset text check (preset in ('quiet', 'normal', 'strict'));
`;
