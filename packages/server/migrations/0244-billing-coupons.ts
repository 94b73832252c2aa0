export const name = '0244-billing-coupons';

/** Coupons, and the orders that they made cheaper. */
export const up = `
create table billing_coupon (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  name text not null,
  code text not null,
  kind text not null check (kind in ('amount', 'share')),
  amount_fen bigint not null,
  percent integer not null,
  min_fen bigint not null,
  per_person integer not null,
  max_uses integer not null,
  gwids uuid[],
  enabled boolean not null,
  created_at timestamptz not null,
  until timestamptz not null,
  primary key (account_id, id),
  unique (account_id, code)
);
select platform.tenant_table('billing_coupon');

create table billing_coupon_use (
  account_id uuid not null,
  order_no text not null,
  coupon_id uuid not null,
  gwid uuid not null,
  device text not null,
  -- taken off the price
  fen bigint not null check (fen > 0),
  primary key (account_id, order_no),
  foreign key (account_id, coupon_id) references billing_coupon (account_id, id) on delete cascade,
  foreign key (account_id, order_no) references billing_order (account_id, order_no) on delete cascade
);
create index billing_coupon_use_of on billing_coupon_use (account_id, coupon_id);
select platform.tenant_table('billing_coupon_use', 'gwid');
`;
