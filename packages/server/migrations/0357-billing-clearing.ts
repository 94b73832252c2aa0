export const name = '0357-billing-clearing';

export const up = `
-- money of accounts that a payment provider holds for the installation, or that moves at its bank (provider 'bank')
create table clearing_movement (
  account_id uuid not null references account on delete cascade,
  -- of the booking in the ledger
  key text not null,
  provider text not null,
  kind text not null check (kind in ('payment', 'refund', 'refund_failed', 'dispute', 'withdrawal')),
  order_no text not null,
  refund_no text not null default '',
  fen bigint not null check (fen <> 0),
  -- of a guest's payment
  earned boolean not null,
  at timestamptz not null,
  payout_id uuid,
  primary key (account_id, key)
);
create index clearing_movement_open on clearing_movement (provider, at) where payout_id is null;
create index clearing_movement_unsettled on clearing_movement (account_id) where payout_id is null and earned;
create index clearing_movement_order on clearing_movement (order_no);
create index clearing_movement_refund on clearing_movement (refund_no) where refund_no <> '';
create index clearing_movement_payout on clearing_movement (payout_id) where payout_id is not null;
create index clearing_movement_bank on clearing_movement (at) include (fen) where provider = 'bank';
create index clearing_movement_listed on clearing_movement (at desc, key);
select platform.tenant_table('clearing_movement');
revoke update, delete, truncate on clearing_movement from yunxun_app, yunxun_system;
grant update (payout_id) on clearing_movement to yunxun_system;

create table clearing_payout (
  id uuid primary key,
  provider text not null,
  number text not null,
  day text not null check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  gross_fen bigint not null,
  fee_fen bigint not null,
  -- the part of gross that is movements
  matched_fen bigint not null,
  movements integer not null,
  -- SHA-256 of the statement
  file text,
  at timestamptz not null,
  by text not null,
  reversed_at timestamptz,
  reversed_by text
);
create unique index clearing_payout_number on clearing_payout (provider, number) where reversed_at is null;
create index clearing_payout_day on clearing_payout (day desc);
select platform.directory_table('clearing_payout');

-- lines of statements that are no movement, or have another amount
create table clearing_line (
  payout_id uuid not null references clearing_payout,
  seq integer not null,
  result text not null check (result in ('unmatched', 'differs')),
  reference text not null,
  order_no text not null,
  fen bigint not null,
  ours_fen bigint,
  primary key (payout_id, seq)
);
select platform.directory_table('clearing_line');

create table clearing_arrival (
  id uuid primary key,
  day text not null check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  reference text not null,
  fen bigint not null check (fen <> 0),
  -- null: money of the installation itself
  provider text,
  payout_id uuid references clearing_payout,
  at timestamptz not null,
  by text not null,
  reversed_at timestamptz,
  reversed_by text,
  check (payout_id is null or provider is not null)
);
create unique index clearing_arrival_reference on clearing_arrival (coalesce(provider, ''), reference)
  where reversed_at is null;
create index clearing_arrival_payout on clearing_arrival (payout_id) where payout_id is not null;
select platform.directory_table('clearing_arrival');

revoke update, delete, truncate on clearing_payout, clearing_line, clearing_arrival from yunxun_system;
grant update (reversed_at, reversed_by) on clearing_payout, clearing_arrival to yunxun_system;
`;
