export const name = '0291-search-readings';

export const up = `
-- the column initials holds full pinyin and readings of surnames too; a task completes older entries in batches
alter table search_entry add column readings smallint not null default 0;
create index search_entry_readings on search_entry (account_id, kind, id) where readings = 0 and initials <> '';
`;
