export const name = '0274-shield-counted-since';

/** Earlier days are unknown, not 0. */
export const up = `
alter table shield_taken add column since timestamptz not null default now();
update shield_taken t set since = least(t.since, coalesce(
  (select min(c.at) from shield_count c where c.account_id = t.account_id and c.gwid = t.gwid), t.since));
`;
