export const name = '0155-portal-edge';

/** The edge gateway as a captive gateway: which of its networks guests sign in on, and who needs no sign-in. */
export const up = `
alter table portal_site
  drop constraint portal_site_gateway_check,
  add constraint portal_site_gateway_check check (gateway in ('edge', 'opennds_1', 'opennds_3', 'opennds_4', 'uam')),
  add column captive_lans text[] not null default '{}',
  add column exempt_macs text[] not null default '{}',
  add column exempt_addresses text[] not null default '{}';
`;
