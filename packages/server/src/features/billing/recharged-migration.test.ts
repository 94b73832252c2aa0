import { afterAll, expect, it } from 'vitest';
import { migrations } from '../../../migrations/index.ts';
import { asOwner, createEmptyDatabase } from '../../../test/database.ts';
import { newId } from '../../platform/database/index.ts';

const { owner, drop } = await createEmptyDatabase();
afterAll(drop);

type Line = [kind: string, ledger: string, fen: number];

it('splits today’s balances as if earned money had been spent first, and leaves closed months', async () => {
  await asOwner(owner, async (client) => {
    await client.query('create schema platform');
    const first = migrations.findIndex(({ name }) => name === '0356-billing-recharged');
    for (const { up } of migrations.slice(0, first)) await client.query(up);

    async function account(lines: readonly Line[]): Promise<string> {
      const id = newId();
      await client.query('insert into account (account_id, name, binding_code) values ($1, $2, $2)', [id, id]);
      for (const [nth, [kind, ledger, fen]] of lines.entries()) {
        const at = new Date(Date.UTC(2026, 9, 1 + nth));
        const booking = newId();
        const [own, other] = [kind === 'refund' ? 'recharge' : kind, kind === 'refund' ? `refund:${nth}:r` : `${nth}`];
        if (kind === 'refund')
          await client.query(
            `insert into billing_order (account_id, order_no, key, kind, subject, fen, currency, payer, method, state,
               created_at, expires_at)
             values ($1, $2, $3, $4, '{}', 100000, 'CNY', 'account', 'stripe', 'completed', now(), now())`,
            [id, String(nth), booking, own],
          );
        await client.query('begin');
        await client.query(
          `insert into ledger_transaction (account_id, id, key, kind, at, type, fen, currency)
           values ($1, $2, $3, $4, $5, 'other', $6, 'CNY')`,
          [id, booking, other, kind, at, fen],
        );
        await client.query(
          `insert into ledger_entry (account_id, transaction_id, seq, ledger, fen, currency, at)
           values ($1, $2, 0, 'balance', $3, 'CNY', $5), ($1, $2, 1, $6, $4, 'CNY', $5)`,
          [id, booking, fen, -fen, at, ledger],
        );
        await client.query('commit');
      }
      return id;
    }

    const shop = await account([
      ['recharge', 'external', 1000],
      ['portal_package', 'income', 300],
      ['sms', 'sms', -500],
    ]);
    const earner = await account([['portal_package', 'income', 700]]);
    const refunded = await account([
      ['recharge', 'external', 1000],
      ['refund', 'external', -400],
      ['portal_package', 'income', 200],
      ['withdrawal_request', 'frozen', -700],
      ['portal_package', 'income', 50],
    ]);
    const owing = await account([
      ['recharge', 'external', 100],
      ['sms', 'sms', -300],
      ['portal_package', 'income', 150],
    ]);
    await client.query(
      `insert into ledger_month (account_id, month, begins_at, ends_at, closed_at, closed_by)
       values ($1, '2026-10', '2026-10-01', '2026-11-01', now(), 'o')`,
      [shop],
    );
    const october = `select ledger, sum(fen)::int as fen from ledger_entry
      where account_id = $1 and at < '2026-11-01' group by 1 order by 1`;
    const before = (await client.query(october, [shop])).rows;
    for (const { up } of migrations.slice(first)) await client.query(up);

    const sumsOf = async (id: string) =>
      (
        await client.query<{ ledger: string; fen: number }>(
          `select ledger, sum(fen)::int as fen from ledger_total
           where account_id = $1 and ledger in ('balance', 'recharged') group by 1 order by 1`,
          [id],
        )
      ).rows;
    expect(await sumsOf(shop)).toEqual([
      { ledger: 'balance', fen: 0 },
      { ledger: 'recharged', fen: 800 },
    ]);
    expect(await sumsOf(earner)).toEqual([{ ledger: 'balance', fen: 700 }]);
    expect(await sumsOf(refunded)).toEqual([
      { ledger: 'balance', fen: 50 },
      { ledger: 'recharged', fen: 100 },
    ]);
    expect(await sumsOf(owing)).toEqual([{ ledger: 'balance', fen: -50 }]);
    expect((await client.query(october, [shop])).rows).toEqual(before);
  });
});
