export const name = '0061-rejection';

export const up = `
-- how a device came not to take a document: refused (by this firmware, null when unknown), or tried and taken back
alter table config_state add column rejection text check (rejection in ('refused', 'returned'));
update config_state set rejection = case when rejected_firmware is null then 'returned' else 'refused' end
  where rejected_sha is not null;
update config_state set rejected_firmware = null where rejected_firmware = '';
`;
