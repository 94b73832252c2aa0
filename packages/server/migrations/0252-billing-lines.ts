export const name = '0252-billing-lines';

/** What the list of transactions filters and sorts by, beside each booking and each unpaid order. */
export const up = `
lock table ledger_transaction, ledger_entry in share row exclusive mode;

alter table ledger_transaction
  add column type text not null default 'other'
    check (type in ('income', 'expense', 'recharge', 'refund', 'withdrawal', 'other')),
  add column fen bigint not null default 0,
  add column currency text not null default 'CNY' check (currency in ('CNY', 'XTS'));
update ledger_transaction t set fen = s.fen, currency = s.currency,
  type = case when t.kind in ('recharge', 'refund') then t.kind
    when t.kind like 'withdrawal%' then 'withdrawal'
    when s.income < 0 then 'income'
    when s.fen < 0 then 'expense' else 'other' end
from (
  select account_id, transaction_id, min(currency) as currency, sum(fen) filter (where ledger = 'income') as income,
    coalesce(nullif(sum(fen) filter (where ledger = 'balance'), 0), nullif(sum(fen) filter (where ledger = 'cash'), 0),
      nullif(sum(fen) filter (where ledger = 'external'), 0), nullif(sum(-fen) filter (where ledger = 'expense'), 0), 0) as fen
  from ledger_entry group by account_id, transaction_id) s
where s.account_id = t.account_id and s.transaction_id = t.id;

create index ledger_transaction_type on ledger_transaction (account_id, type, at, id)
  where kind not in ('sms_send', 'sms_return');
create index ledger_transaction_amount on ledger_transaction (account_id, type, fen, at, id)
  where kind not in ('sms_send', 'sms_return');
create index ledger_transaction_refund on ledger_transaction (account_id, split_part(key, ':', 2)) where kind = 'refund';

alter table billing_order
  add column line_type text not null generated always as (
    case when payer = 'guest' then 'income' when kind = 'recharge' then 'recharge' else 'expense' end) stored,
  add column line_fen bigint not null generated always as (
    case when payer = 'guest' or kind = 'recharge' then fen else -fen end) stored;
create index billing_order_unpaid_state on billing_order (account_id, state, created_at, order_no) where paid_at is null;
create index billing_order_unpaid_amount on billing_order (account_id, line_type, line_fen, created_at, order_no)
  where paid_at is null;
create index billing_order_refunded on billing_order (account_id, order_no) where state = 'refunded';

delete from ledger_count;
alter table ledger_count drop constraint ledger_count_pkey;
alter table ledger_count add column type text not null, add primary key (account_id, kind, type, shard);
insert into ledger_count (account_id, kind, type, shard, bookings)
select account_id, kind, type, 0, count(*) from ledger_transaction group by account_id, kind, type;

create or replace function platform.ledger_add_counts() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
begin
  insert into public.ledger_count as counted (account_id, kind, type, shard, bookings)
  select account_id, kind, type, pg_backend_pid() % 64, count(*) from added
  group by account_id, kind, type order by account_id, kind, type
  on conflict (account_id, kind, type, shard) do update set bookings = counted.bookings + excluded.bookings;
  return null;
end $$;

-- changes of the balance by day (UTC), so that a balance after any booking adds up little
create table ledger_day (
  account_id uuid not null references account on delete cascade,
  currency text not null,
  day date not null,
  shard smallint not null,
  fen bigint not null,
  primary key (account_id, currency, day, shard)
) with (fillfactor = 50);
select platform.tenant_table('ledger_day');
insert into ledger_day
select account_id, currency, (at at time zone 'UTC')::date, 0, sum(fen) from ledger_entry
where ledger = 'balance' group by 1, 2, 3;
revoke insert, update, delete, truncate on ledger_day from yunxun_app, yunxun_system;

create function platform.ledger_add_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
begin
  insert into public.ledger_day as counted
  select account_id, currency, (at at time zone 'UTC')::date, pg_backend_pid() % 64, sum(fen) from added
  where ledger = 'balance' group by 1, 2, 3 order by 1, 2, 3
  on conflict (account_id, currency, day, shard) do update set fen = counted.fen + excluded.fen;
  return null;
end $$;
create trigger days after insert on ledger_entry referencing new table as added
  for each statement execute function platform.ledger_add_days();
`;
