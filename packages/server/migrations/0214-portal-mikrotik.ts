export const name = '0214-portal-mikrotik';

export const up = `
alter table portal_site
  drop constraint portal_site_gateway_check,
  add constraint portal_site_gateway_check
    check (gateway in ('edge', 'opennds_1', 'opennds_3', 'opennds_4', 'uam', 'mikrotik'));
`;
