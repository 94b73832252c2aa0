import type { Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import type { Registered, TestServer } from './server.ts';

export async function payInSandbox(server: TestServer, payUrl: string): Promise<number> {
  const { pathname, search } = new URL(payUrl);
  const answer = await fetch(server.url + pathname + search, { method: 'POST', redirect: 'manual' });
  return answer.status;
}

/** Accounts can pay by bank transfer. */
export async function nameBank(server: TestServer): Promise<void> {
  const bank = { enabled: true, version: 1, bank: 'Bank', account_no: '1202 0212 0990', payee: 'Yunxun' };
  await server.db.database.systemPool.query(
    "insert into installation (key, value) values ('bank_transfer', $1) on conflict (key) do nothing",
    [JSON.stringify(bank)],
  );
}

export async function makeOrders(
  server: TestServer,
  owner: Registered,
): Promise<Pick<Seed, 'order' | 'decision' | 'orphanDecision' | 'paymentException' | 'deferredItem'>> {
  const recharge = async () => {
    const input = { amount: '10', method: 'sandbox', key: newId() };
    const { data } = await server.call<{ order_no: string; pay_url: string }>('/api/v3/billing/recharge', input, owner);
    await payInSandbox(server, data.pay_url);
    return data.order_no;
  };
  await nameBank(server);
  const no = await recharge();
  const manualNo = newId();
  await server.db.database.systemPool.query(
    `insert into billing_order (account_id, order_no, key, kind, subject, fen, payer, method, state, created_at, expires_at)
     values ($1, $2, $2, 'recharge', '{}', 500, 'guest', 'manual', 'incomplete', now(), now() + interval '1 day')`,
    [owner.accountId, manualNo],
  );
  const { data: transfer } = await server.call<{ order_no: string }>(
    '/api/v3/billing/recharge',
    { amount: '15', method: 'manual', key: newId() },
    owner,
  );
  const ask = async (order: string, askedBy: string, hoursAgo: number) => {
    const id = newId();
    await server.db.database.systemPool.query(
      `insert into money_decision
         (account_id, id, kind, object, name, fen, limit_fen, input, state, asked_at, asked_by, asker)
       values ($1, $2, 'order', $3, $3, 100, 50, '{"reason":"test","used":false}', 'waiting',
         now() - make_interval(hours => $5), $4, 'another')`,
      [owner.accountId, id, order, askedBy, hoursAgo],
    );
    return { id };
  };
  const exception = newId();
  await server.db.database.systemPool.query(
    `insert into payment_exception (account_id, id, kind, provider, order_no, fen, at)
     values ($1, $2, 'refund_failed', 'stripe', $3, 100, now())`,
    [owner.accountId, exception, no],
  );
  const deferred = newId();
  await server.db.database.systemPool.query(
    "insert into billing_deferred (account_id, source, source_id, sold_at, fen, ended) values ($1, 'card', $2, now(), 100, true)",
    [owner.accountId, deferred],
  );
  return {
    deferredItem: { id: deferred },
    paymentException: { id: exception },
    decision: await ask(no, newId(), 0),
    orphanDecision: await ask(await recharge(), owner.userId, 73),
    order: { no, manualNo, transferNo: transfer.order_no },
  };
}
