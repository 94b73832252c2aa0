import { afterAll, expect, it } from 'vitest';
import { migrations } from '../../../migrations/index.ts';
import { asOwner, createEmptyDatabase } from '../../../test/database.ts';
import { newId } from '../../platform/database/index.ts';

const { owner, drop } = await createEmptyDatabase();
afterAll(drop);

it('makes play money of all that the sandbox moved before the currency, and adds up the journal once', async () => {
  await asOwner(owner, async (client) => {
    await client.query('create schema platform');
    const first = migrations.findIndex(({ name }) => name === '0240-billing-currency');
    for (const { up } of migrations.slice(0, first)) await client.query(up);
    const account = newId();
    await client.query("insert into account (account_id, name, binding_code) values ($1, 'one', 'A')", [account]);
    for (const method of ['sandbox', 'manual'])
      await client.query(
        `insert into billing_order (account_id, order_no, key, kind, subject, fen, payer, method, state, created_at, expires_at, paid_at)
         values ($1, $2, $2, 'sdwan_package', '{}', 600, 'account', $2, 'completed', now(), now(), now())`,
        [account, method],
      );
    const book = async (key: string, debit: string, credit: string) => {
      await client.query(
        `with booked as (insert into ledger_transaction (account_id, id, key, kind, at)
           values ($1, gen_random_uuid(), $2, 'refund', now()) returning *)
         insert into ledger_entry (account_id, transaction_id, seq, ledger, fen, at)
         select account_id, id, seq, ledger, side.fen, at from booked, (values (0, $3, 600), (1, $4, -600)) side (seq, ledger, fen)`,
        [account, key, debit, credit],
      );
    };
    for (const method of ['sandbox', 'manual']) {
      await book(`order:${method}`, 'expense', 'external');
      // of a package that was paid twice
      await book(`sdwan:${method}:0`, 'balance', 'expense');
    }
    for (const { up } of migrations.slice(first)) await client.query(up);
    await book('recharge:1', 'balance', 'external');
    const { rows } = await client.query<{ ledger: string; currency: string; fen: number }>(
      `select ledger, currency, sum(fen)::int as fen from ledger_total where account_id = $1
       group by ledger, currency having sum(fen) <> 0 order by ledger, currency`,
      [account],
    );
    expect(rows).toEqual([
      { ledger: 'balance', currency: 'CNY', fen: 1200 },
      { ledger: 'balance', currency: 'XTS', fen: 600 },
      { ledger: 'external', currency: 'CNY', fen: -1200 },
      { ledger: 'external', currency: 'XTS', fen: -600 },
    ]);
    const lines = await client.query(
      `select key, type, fen::int as fen, currency from ledger_transaction
       where account_id = $1 and key not like 'recharge%' order by key`,
      [account],
    );
    expect(lines.rows).toEqual([
      { key: 'order:manual', type: 'refund', fen: -600, currency: 'CNY' },
      { key: 'order:sandbox', type: 'refund', fen: -600, currency: 'XTS' },
      { key: 'sdwan:manual:0', type: 'refund', fen: 600, currency: 'CNY' },
      { key: 'sdwan:sandbox:0', type: 'refund', fen: 600, currency: 'XTS' },
    ]);
  });
});
