export const name = '0015-billing';

export const up = `
-- the account's books: transactions and their entries, double entry. Nothing in them is ever changed or taken away;
-- what was wrong is booked back. key makes a transaction that is repeated count once
create table ledger_transaction (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  key text not null,
  kind text not null,
  at timestamptz not null,
  gwid uuid,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, key)
);
select platform.tenant_table('ledger_transaction', 'gwid');

create table ledger_entry (
  account_id uuid not null,
  transaction_id uuid not null,
  seq smallint not null,
  ledger text not null,
  -- fen; debits are positive, credits negative
  fen bigint not null check (fen <> 0),
  -- as in the transaction, for sums over time and networks
  at timestamptz not null,
  gwid uuid,
  primary key (account_id, transaction_id, seq),
  foreign key (account_id, transaction_id) references ledger_transaction (account_id, id) on delete cascade
);
create index ledger_entry_time on ledger_entry (account_id, ledger, at);
select platform.tenant_table('ledger_entry', 'gwid');

revoke update, delete, truncate on ledger_transaction, ledger_entry from yunxun_app, yunxun_system;

-- looked at when they are committed: the entries of a booking add up to nothing, and are at least two
create function platform.ledger_balances(account uuid, booking uuid) returns void
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
declare
  entries integer;
  total numeric;
begin
  select count(*), coalesce(sum(fen), 0) into entries, total from public.ledger_entry
  where account_id = account and transaction_id = booking;
  if entries < 2 or total <> 0 then
    raise exception 'transaction % of the ledger does not balance: % entries, sum %', booking, entries, total
      using errcode = 'check_violation';
  end if;
end $$;
create function platform.ledger_transaction_balances() returns trigger language plpgsql as
  $$ begin perform platform.ledger_balances(new.account_id, new.id); return null; end $$;
create function platform.ledger_entry_balances() returns trigger language plpgsql as
  $$ begin perform platform.ledger_balances(new.account_id, new.transaction_id); return null; end $$;
create constraint trigger balances after insert on ledger_transaction
  deferrable initially deferred for each row execute function platform.ledger_transaction_balances();
create constraint trigger balances after insert on ledger_entry
  deferrable initially deferred for each row execute function platform.ledger_entry_balances();
`;
