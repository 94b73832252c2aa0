export const name = '0133-billing-goods';

/** Packages that guests buy, recharge cards, and what a guest has got by one. */
export const up = `
create table billing_package (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  name text not null,
  price_fen bigint not null check (price_fen >= 0),
  -- minutes, bytes, devices, up_kbps, down_kbps, valid_days, gwids
  terms jsonb not null,
  enabled boolean not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index billing_package_name on billing_package (account_id, lower(name));
select platform.tenant_table('billing_package');

create table billing_card_batch (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  name text not null,
  -- the package as it was when the cards were made; a later change of it leaves sold cards alone
  package_id uuid not null,
  package_name text not null,
  terms jsonb not null,
  face_fen bigint not null check (face_fen >= 0),
  valid_until timestamptz not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (account_id, id)
);
create index billing_card_batch_listed on billing_card_batch (account_id, created_at desc);
select platform.tenant_table('billing_card_batch');

create table billing_card (
  account_id uuid not null,
  id uuid not null,
  batch_id uuid not null,
  -- keyed hash: the code itself is kept nowhere
  code_hash bytea not null,
  tail text not null,
  used_at timestamptz,
  used_gwid uuid,
  voided_at timestamptz,
  refunded_at timestamptz,
  primary key (account_id, id),
  check (voided_at is null or used_at is null),
  check (refunded_at is null or used_at is not null),
  foreign key (account_id, batch_id) references billing_card_batch (account_id, id) on delete cascade
);
create unique index billing_card_code on billing_card (account_id, code_hash);
create index billing_card_of on billing_card (account_id, batch_id);
create index billing_card_used on billing_card (account_id, used_at desc) where used_at is not null;
select platform.tenant_table('billing_card');

create table billing_entitlement (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  gwid uuid not null,
  source text not null check (source in ('card', 'coupon', 'order')),
  -- one use: a card or an order gives one entitlement
  source_id uuid not null,
  package_id uuid not null,
  terms jsonb not null,
  created_at timestamptz not null,
  -- first use, from which its minutes count
  started_at timestamptz,
  ends_at timestamptz not null,
  refunded_at timestamptz,
  primary key (account_id, id),
  unique (account_id, source, source_id)
);
create index billing_entitlement_package on billing_entitlement (account_id, package_id);
select platform.tenant_table('billing_entitlement', 'gwid');
`;
