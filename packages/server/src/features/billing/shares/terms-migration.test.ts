import { afterAll, expect, it } from 'vitest';
import { migrations } from '../../../../migrations/index.ts';
import { asOwner, createEmptyDatabase } from '../../../../test/database.ts';
import { newId } from '../../../platform/database/index.ts';

const { owner, drop } = await createEmptyDatabase();
afterAll(drop);

it('keeps shares from the begin of their month, with the months that are settled', async () => {
  await asOwner(owner, async (client) => {
    await client.query('create schema platform');
    const first = migrations.findIndex(({ name }) => name === '0257-billing-share-terms');
    for (const { up } of migrations.slice(0, first)) await client.query(up);
    const [account, host, gwid, ended, hosting] = Array.from({ length: 5 }, () => newId());
    for (const id of [account, host])
      await client.query('insert into account (account_id, name, binding_code) values ($1, $2, $2)', [id, id]);
    await client.query(
      `insert into billing_share (account_id, gwid, hosting_id, percent, set_at)
       values ($1, $2, $3, 20, '2026-09-30T20:00:00Z')`,
      [account, gwid, hosting],
    );
    for (const network of [gwid, ended])
      for (const side of ['paid', 'received'])
        await client.query(
          `insert into billing_share_settlement
             (account_id, id, side, other_id, network_id, network, month, income_fen, percent, fen, at)
           values ($1, gen_random_uuid(), $2, $3, $4, 'Lobby', '2026-10', 1000, 20, 200, now())`,
          side === 'paid' ? [account, side, host, network] : [host, side, account, network],
        );
    for (const { up } of migrations.slice(first)) await client.query(up);
    const { rows: terms } = await client.query<{ id: string; from_at: Date }>(
      'select id, from_at, percent, until_at from billing_share_term where account_id = $1',
      [account],
    );
    // in Shanghai already October
    expect(terms).toEqual([
      { id: expect.any(String), from_at: new Date('2026-09-30T16:00:00Z'), percent: 20, until_at: null },
    ]);
    const { rows } = await client.query(
      'select side, term_id from billing_share_settlement where network_id = $1 order by side',
      [gwid],
    );
    expect(rows).toEqual([
      { side: 'paid', term_id: terms[0]!.id },
      { side: 'received', term_id: terms[0]!.id },
    ]);
  });
});
