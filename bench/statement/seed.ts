import type pg from 'pg';

/** Books a payment every half minute until now. Balance triggers are off: rows are paired. */
export async function seedBooks(owner: pg.Client, accountId: string, lines: number): Promise<void> {
  const run = async (text: string, values?: unknown[]) => {
    await owner.query(text, values);
  };
  await run('alter table ledger_transaction disable trigger balances');
  await run('alter table ledger_entry disable trigger balances');
  await run(
    `insert into billing_order (account_id, order_no, key, kind, subject, fen, payer, method, state, created_at, expires_at, paid_at)
     select $1, 'B' || n, 'B' || n, 'portal', '{}', 100 + n % 900, 'guest', 'manual',
       case when n <= 1000 then 'expired' when n % 100 = 0 then 'refunded' else 'completed' end, at, at, case when n > 1000 then at end
     from generate_series(1, $2::int / 2) n, lateral (select now() - (n * interval '1 minute') as at) moment`,
    [accountId, lines],
  );
  await run(
    `insert into ledger_transaction (account_id, id, key, kind, type, fen, at)
     select $1, gen_random_uuid(), case when n % 2 = 0 then 'order:B' || n / 2 else 'recharge_card:' || n end,
       case when n % 2 = 0 then 'portal' else 'recharge_card' end,
       case when n % 10 = 0 then 'other' else 'income' end, 100 + n % 900, now() - n * interval '30 seconds'
     from generate_series(1, $2::int) n`,
    [accountId, lines],
  );
  await run(
    `insert into ledger_entry (account_id, transaction_id, seq, ledger, fen, at)
     select account_id, id, seq, ledger, t.fen * side.sign, at from ledger_transaction t,
       (values (0, 'balance', 1), (1, 'income', -1)) side (seq, ledger, sign) where account_id = $1`,
    [accountId],
  );
  await run('alter table ledger_transaction enable trigger balances');
  await run('alter table ledger_entry enable trigger balances');
  await run('vacuum analyze');
}
