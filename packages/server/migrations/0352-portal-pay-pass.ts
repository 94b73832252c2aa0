export const name = '0352-portal-pay-pass';

export const up = `
-- devices for which the gateway opens the hosts of payment providers before the sign-in, once for an order
create table portal_pay_pass (
  account_id uuid not null,
  gwid uuid not null,
  device_key bytea not null,
  order_no text not null,
  at timestamptz not null,
  until timestamptz not null,
  primary key (account_id, gwid, device_key, order_no),
  foreign key (account_id, order_no) references billing_order (account_id, order_no) on delete cascade
);
create index portal_pay_pass_at on portal_pay_pass (at);
select platform.tenant_table('portal_pay_pass', 'gwid');

-- the same hosts in the settings of gateways that cannot open them for one device
alter table portal_site add column pay_hosts boolean not null default false;
`;
