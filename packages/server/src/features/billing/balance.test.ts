import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/server.ts';
import { post } from './service.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const balance = (as: object) => server.call<{ balance: string }>('/api/v3/billing/balance', {}, as);

it('comes from the ledger for members who see all networks, and is hidden from others', async () => {
  const owner = await server.register();
  const { accountId } = owner;
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' }, owner);
  const book = (key: string, fen: number, gwid: string | null) =>
    server.db.database.withSystem((tx) =>
      post(tx, {
        accountId,
        key,
        kind: 'recharge',
        at: new Date(),
        gwid,
        entries: [
          { ledger: 'balance', fen },
          { ledger: 'external', fen: -fen },
        ],
      }),
    );
  await book('in', 10_000, null);
  await book('out', -300, data.gwid);
  expect((await balance(owner)).data).toMatchObject({ balance: '97.00' });

  const clerk = await server.register();
  for (const role of ['billing', 'auditor']) {
    await server.db.database.systemPool.query(
      `insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, $4, $5)
       on conflict (account_id, person_id) do update set role = excluded.role`,
      [accountId, clerk.userId, clerk.accountId, role, [data.gwid]],
    );
    expect(await balance({ token: clerk.token, account: accountId })).toMatchObject({
      code: 4101,
      data: { permission: 'billing.read', reason: 'networks' },
    });
  }
});
