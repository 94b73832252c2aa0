export const name = '0213-portal-retention';

export const up = `
create table portal_retention (
  account_id uuid primary key references account on delete cascade,
  days integer not null
);
select platform.tenant_table('portal_retention');
`;
