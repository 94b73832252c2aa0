export const name = '0361-billing-coupon-edit';

/** Coupons can be changed and ended; those of the installation make orders of accounts cheaper. */
export const up = `
alter table billing_coupon
  add column version integer not null default 1,
  add column ended_at timestamptz;

create table account_coupon (
  id uuid primary key,
  version integer not null,
  name text not null,
  code text not null unique,
  kind text not null check (kind in ('amount', 'share')),
  amount_fen bigint not null,
  percent integer not null,
  min_fen bigint not null,
  per_account integer not null,
  max_uses integer not null,
  goods text[] not null,
  -- null: all accounts
  account_id uuid,
  enabled boolean not null,
  created_at timestamptz not null,
  until timestamptz not null,
  ended_at timestamptz
);
select platform.directory_table('account_coupon');

create table account_coupon_use (
  account_id uuid not null,
  order_no text not null,
  coupon_id uuid not null,
  code text not null,
  -- orders of one item are one use
  item text not null,
  -- taken off the price
  fen bigint not null check (fen > 0),
  primary key (account_id, order_no),
  foreign key (account_id, order_no) references billing_order (account_id, order_no) on delete cascade
);
create index account_coupon_use_of on account_coupon_use (coupon_id, account_id);
select platform.tenant_table('account_coupon_use');
`;
