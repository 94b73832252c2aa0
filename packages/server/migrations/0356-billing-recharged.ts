export const name = '0356-billing-recharged';

/** Recharged and earned money apart: what is there now is split as if earned money had always been spent first. */
export const up = `
create or replace function platform.ledger_add_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
begin
  insert into public.ledger_day as counted
  select account_id, currency, (at at time zone 'UTC')::date, pg_backend_pid() % 64, sum(fen) from added
  where ledger in ('balance', 'recharged') group by 1, 2, 3 order by 1, 2, 3
  on conflict (account_id, currency, day, shard) do update set fen = counted.fen + excluded.fen;
  return null;
end $$;

do $$
declare
  owned record;
  moved record;
  earned bigint;
  recharged bigint;
  booking uuid;
  was bigint;
begin
  for owned in
    select account_id, currency, sum(fen) as fen from ledger_total where ledger = 'balance' group by 1, 2
    having sum(fen) > 0
  loop
    earned := 0;
    recharged := 0;
    for moved in
      select e.fen, coalesce(o.kind, t.kind) = 'recharge' as paid_in
      from ledger_entry e
      join ledger_transaction t on t.account_id = e.account_id and t.id = e.transaction_id
      left join billing_order o on o.account_id = t.account_id and o.order_no = split_part(t.key, ':', 2)
        and t.kind in ('recharge', 'refund', 'refund_failed')
      where e.account_id = owned.account_id and e.ledger = 'balance' and e.currency = owned.currency
      order by e.at, e.transaction_id, e.seq
    loop
      if moved.paid_in then
        recharged := recharged + moved.fen;
        earned := earned + least(recharged, 0);
        recharged := greatest(recharged, 0);
      elsif moved.fen > 0 then
        earned := earned + moved.fen;
      else
        earned := earned + moved.fen;
        -- spent beyond what was earned: of what was recharged, as far as it goes
        if earned < 0 and recharged > 0 then
          recharged := recharged + earned;
          earned := least(recharged, 0);
          recharged := greatest(recharged, 0);
        end if;
      end if;
    end loop;
    recharged := least(greatest(recharged, 0), owned.fen);
    continue when recharged = 0;
    booking := gen_random_uuid();
    insert into ledger_transaction (account_id, id, key, kind, at, gwid, type, fen, currency)
    values (owned.account_id, booking, 'balance_split:' || owned.currency, 'balance_split', now(), null, 'other', 0,
      owned.currency);
    insert into ledger_entry (account_id, transaction_id, seq, ledger, fen, currency, at, gwid) values
      (owned.account_id, booking, 0, 'balance', -recharged, owned.currency, now(), null),
      (owned.account_id, booking, 1, 'recharged', recharged, owned.currency, now(), null);
    select sum(fen) into was from ledger_total
    where account_id = owned.account_id and currency = owned.currency and ledger in ('balance', 'recharged');
    if was <> owned.fen then
      raise exception 'the balance of account % was % and is %', owned.account_id, owned.fen, was;
    end if;
  end loop;
end $$;
`;
