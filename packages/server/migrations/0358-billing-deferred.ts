export const name = '0358-billing-deferred';

/** Sold cards, and what of sold goods is earned later. */
export const up = `
alter table billing_card add column sold_at timestamptz;
update billing_card set sold_at = used_at where used_at is not null;
alter table billing_card drop constraint billing_card_check1, add check (refunded_at is null or sold_at is not null);
create index billing_card_sold on billing_card (account_id, sold_at) where sold_at is not null;

create table billing_deferred_setting (
  account_id uuid not null primary key references account on delete cascade,
  -- of sales, from
  since timestamptz not null,
  -- null: still on
  until timestamptz,
  booked_day date not null,
  version integer not null
);
select platform.tenant_table('billing_deferred_setting');

create table billing_deferred (
  account_id uuid not null references account on delete cascade,
  source text not null check (source in ('card', 'order')),
  source_id uuid not null,
  network_id uuid,
  sold_at timestamptz not null,
  fen bigint not null,
  liability_fen bigint not null default 0,
  ended boolean not null default false,
  primary key (account_id, source, source_id)
);
create index billing_deferred_open on billing_deferred (account_id) where not ended;
select platform.tenant_table('billing_deferred');

-- what each booking of a day sums up
create table billing_deferred_line (
  account_id uuid not null references account on delete cascade,
  day date not null,
  source text not null,
  source_id uuid not null,
  change_fen bigint not null,
  primary key (account_id, day, source, source_id)
);
select platform.tenant_table('billing_deferred_line');
`;
