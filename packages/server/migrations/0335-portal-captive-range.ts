export const name = '0335-portal-captive-range';

export const up = `
alter table portal_site
  -- SSIDs whose VLANs are captured, by id and by name
  add column captive_ssids text[] not null default '{}',
  add column captive_ssid_names text[] not null default '{}',
  -- addresses of captured LANs; of a LAN without any, all
  add column range_lans text[] not null default '{}',
  add column ranges text[] not null default '{}',
  -- of exempt MACs and addresses
  add column remarked text[] not null default '{}',
  add column remarks text[] not null default '{}',
  add check (cardinality(captive_ssids) = cardinality(captive_ssid_names)),
  add check (cardinality(range_lans) = cardinality(ranges)),
  add check (cardinality(remarked) = cardinality(remarks));
`;
