export const name = '0048-radio-bands';

export const up = `
-- the bands that a device has radios for, as it said when it connected: a list is narrowed by them, and its capabilities are large
alter table device add column bands text[] not null default '{}';
update device d set bands = own.bands
  from (select account_id, serial, array_agg(distinct case when band like '5G%' then '5G' else band end) as bands
    from device, jsonb_each(case when jsonb_typeof(capabilities -> 'wifi') = 'object' then capabilities -> 'wifi' else '{}' end) as radio (path, said),
      jsonb_array_elements_text(case jsonb_typeof(said -> 'band') when 'array' then said -> 'band'
        when 'string' then jsonb_build_array(said -> 'band') else '[]' end) as band
    where band in ('2G', '6G') or band like '5G%'
    group by account_id, serial) own
  where own.account_id = d.account_id and own.serial = d.serial;
`;
