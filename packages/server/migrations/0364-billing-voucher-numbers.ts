export const name = '0364-billing-voucher-numbers';

/** Numbers of vouchers, and changes of the earned and the recharged balance by day apart. */
export const up = `
lock table ledger_entry in share row exclusive mode;

alter table billing_account_code
  add column voucher_per text not null default 'day' check (voucher_per in ('booking', 'day'));

-- of months whose books are closed
create table billing_voucher (
  account_id uuid not null references account on delete cascade,
  transaction_id uuid not null,
  month text not null,
  number integer not null,
  day date not null,
  primary key (account_id, transaction_id)
);
create index billing_voucher_month on billing_voucher (account_id, month, number);
select platform.tenant_table('billing_voucher');

alter table ledger_day add column ledger text;
delete from ledger_day;
alter table ledger_day drop constraint ledger_day_pkey, alter column ledger set not null,
  add primary key (account_id, currency, ledger, day, shard);
insert into ledger_day (account_id, currency, ledger, day, shard, fen)
select account_id, currency, ledger, (at at time zone 'UTC')::date, 0, sum(fen) from ledger_entry
where ledger in ('balance', 'recharged') group by 1, 2, 3, 4;

create or replace function platform.ledger_add_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
begin
  insert into public.ledger_day as counted (account_id, currency, ledger, day, shard, fen)
  select account_id, currency, ledger, (at at time zone 'UTC')::date, pg_backend_pid() % 64, sum(fen) from added
  where ledger in ('balance', 'recharged') group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (account_id, currency, ledger, day, shard) do update set fen = counted.fen + excluded.fen;
  return null;
end $$;
`;
