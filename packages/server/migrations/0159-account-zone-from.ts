export const name = '0159-account-zone-from';

/** First day that is counted in the account's present time zone alone; null: the zone was never changed. */
export const up = `
alter table account add column time_zone_from text check (time_zone_from ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$');
`;
