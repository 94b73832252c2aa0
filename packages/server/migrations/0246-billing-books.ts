export const name = '0246-billing-books';

export const up = `
-- closed months; times are kept, since a change of the time zone moves a month
create table ledger_month (
  account_id uuid not null references account on delete cascade,
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  closed_at timestamptz not null,
  closed_by text not null,
  primary key (account_id, month)
);
select platform.tenant_table('ledger_month');
revoke update, delete, truncate on ledger_month from yunxun_app, yunxun_system;

create function platform.ledger_refuse_closed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
begin
  if exists (select from public.ledger_month where account_id = new.account_id and ends_at > new.at) then
    raise exception 'the books of account % are closed for %', new.account_id, new.at using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger closed before insert on ledger_transaction
  for each row execute function platform.ledger_refuse_closed();
create trigger closed before insert on ledger_entry
  for each row execute function platform.ledger_refuse_closed();

create index ledger_entry_journal on ledger_entry (account_id, at, transaction_id, seq);
`;
