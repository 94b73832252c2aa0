export const name = '0241-billing-totals';

/**
 * Running totals, so that a balance and the first page of a statement cost the same after a million bookings. Each
 * database session adds to rows of its own (shard), so bookings rarely wait for each other.
 */
export const up = `
-- a booking between the sums and the triggers would be lost
lock table ledger_transaction, ledger_entry in share row exclusive mode;

create table ledger_total (
  account_id uuid not null references account on delete cascade,
  ledger text not null,
  currency text not null,
  shard smallint not null,
  fen bigint not null,
  primary key (account_id, ledger, currency, shard)
) with (fillfactor = 50);
select platform.tenant_table('ledger_total');

-- bookings of one kind
create table ledger_count (
  account_id uuid not null references account on delete cascade,
  kind text not null,
  shard smallint not null,
  bookings bigint not null,
  primary key (account_id, kind, shard)
) with (fillfactor = 50);
select platform.tenant_table('ledger_count');

insert into ledger_total
select account_id, ledger, currency, 0, sum(fen) from ledger_entry group by account_id, ledger, currency;
insert into ledger_count select account_id, kind, 0, count(*) from ledger_transaction group by account_id, kind;

-- only the triggers write them
revoke insert, update, delete, truncate on ledger_total, ledger_count from yunxun_app, yunxun_system;

create function platform.ledger_add_totals() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
begin
  insert into public.ledger_total as total
  select account_id, ledger, currency, pg_backend_pid() % 64, sum(fen) from added
  group by account_id, ledger, currency order by account_id, ledger, currency
  on conflict (account_id, ledger, currency, shard) do update set fen = total.fen + excluded.fen;
  return null;
end $$;
create trigger totals after insert on ledger_entry referencing new table as added
  for each statement execute function platform.ledger_add_totals();

create function platform.ledger_add_counts() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
begin
  insert into public.ledger_count as counted
  select account_id, kind, pg_backend_pid() % 64, count(*) from added
  group by account_id, kind order by account_id, kind
  on conflict (account_id, kind, shard) do update set bookings = counted.bookings + excluded.bookings;
  return null;
end $$;
create trigger counts after insert on ledger_transaction referencing new table as added
  for each statement execute function platform.ledger_add_counts();

create index ledger_transaction_listed on ledger_transaction (account_id, at, id)
  where kind not in ('sms_send', 'sms_return');
create index billing_order_unpaid on billing_order (account_id, created_at, order_no)
  where paid_at is null;
-- the same order with what a balance after a booking adds up
create index ledger_entry_listed on ledger_entry (account_id, ledger, at, transaction_id) include (fen, currency, gwid);
drop index ledger_entry_time;
`;
