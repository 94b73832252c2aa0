export const name = '0240-billing-currency';

/** Currency of each entry: CNY, or XTS (ISO 4217: reserved for tests) for payments in the sandbox. */
export const up = `
alter table ledger_entry add column currency text not null default 'CNY' check (currency in ('CNY', 'XTS'));
alter table billing_order add column currency text not null default 'CNY' check (currency in ('CNY', 'XTS'));

update billing_order set currency = 'XTS' where method = 'sandbox';
update ledger_entry e set currency = 'XTS'
from ledger_transaction t
join billing_order o on o.account_id = t.account_id and o.order_no = split_part(t.key, ':', 2)
where t.account_id = e.account_id and t.id = e.transaction_id
  and split_part(t.key, ':', 1) in ('order', 'refund', 'sdwan') and o.method = 'sandbox';

create or replace function platform.ledger_balances(account uuid, booking uuid) returns void
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
declare
  entries integer;
  currencies integer;
  total numeric;
begin
  select count(*), count(distinct currency), coalesce(sum(fen), 0) into entries, currencies, total
  from public.ledger_entry where account_id = account and transaction_id = booking;
  if entries < 2 or currencies <> 1 or total <> 0 then
    raise exception 'transaction % of the ledger does not balance: % entries, % currencies, sum %',
      booking, entries, currencies, total using errcode = 'check_violation';
  end if;
end $$;
`;
