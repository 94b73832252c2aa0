export const name = '0360-billing-accounting';

/** Accounts of ledgers in vouchers, and the zone by whose days a closed month is split. */
export const up = `
create table billing_account_code (
  account_id uuid not null primary key references account on delete cascade,
  codes jsonb not null,
  version integer not null
);
select platform.tenant_table('billing_account_code');

alter table ledger_month add column time_zone text;
update ledger_month m set time_zone = a.time_zone from account a where a.account_id = m.account_id;
`;
