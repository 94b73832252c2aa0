export const name = '0130-billing-orders';

/** Orders, events of payment providers, refunds, and the sandbox provider's own books. */
export const up = `
create table billing_order (
  account_id uuid not null references account on delete cascade,
  order_no text not null,
  -- idempotency key of the purchase
  key text not null,
  kind text not null,
  subject jsonb not null,
  fen bigint not null check (fen > 0),
  refunded_fen bigint not null default 0 check (refunded_fen between 0 and fen),
  gwid uuid,
  payer text not null check (payer in ('account', 'guest')),
  method text not null,
  state text not null check (state in ('incomplete', 'completed', 'expired', 'refunded')),
  return_url text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  paid_at timestamptz,
  primary key (account_id, order_no),
  unique (account_id, key)
);
create index billing_order_no on billing_order (order_no);
create index billing_order_listed on billing_order (account_id, created_at desc);
create index billing_order_open on billing_order (expires_at) where state = 'incomplete';
select platform.tenant_table('billing_order', 'gwid');

create table billing_refund (
  account_id uuid not null,
  order_no text not null,
  refund_no text not null,
  gwid uuid,
  fen bigint not null check (fen > 0),
  reason text not null,
  by text not null,
  at timestamptz not null,
  -- the provider has paid it back
  confirmed_at timestamptz,
  primary key (account_id, order_no, refund_no),
  foreign key (account_id, order_no) references billing_order (account_id, order_no) on delete cascade
);
select platform.tenant_table('billing_refund', 'gwid');

create table payment_event (
  account_id uuid not null,
  provider text not null,
  event_id text not null,
  order_no text not null,
  gwid uuid,
  type text not null check (type in ('paid', 'refunded')),
  fen bigint not null,
  outcome text not null,
  at timestamptz not null,
  primary key (account_id, provider, event_id),
  foreign key (account_id, order_no) references billing_order (account_id, order_no) on delete cascade
);
create index payment_event_order on payment_event (account_id, order_no);
select platform.tenant_table('payment_event', 'gwid');

create table payment_difference (
  account_id uuid not null references account on delete cascade,
  provider text not null,
  day date not null,
  order_no text not null,
  -- payments less refunds of the day
  ours_fen bigint not null,
  theirs_fen bigint not null,
  primary key (account_id, provider, day, order_no)
);
select platform.tenant_table('payment_difference');

create table sandbox_movement (
  account_id uuid not null references account on delete cascade,
  order_no text not null,
  -- 'paid', or the number of a refund
  movement text not null,
  fen bigint not null,
  at timestamptz not null,
  primary key (account_id, order_no, movement)
);
create index sandbox_movement_time on sandbox_movement (at);
select platform.tenant_table('sandbox_movement');

revoke update, delete, truncate on payment_event, sandbox_movement from yunxun_app, yunxun_system;
`;
