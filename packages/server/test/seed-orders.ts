import type { Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import type { Registered, TestServer } from './server.ts';

/** Pays an order on the sandbox's page. */
export async function payInSandbox(server: TestServer, payUrl: string): Promise<number> {
  const { pathname, search } = new URL(payUrl);
  const answer = await fetch(server.url + pathname + search, { method: 'POST', redirect: 'manual' });
  return answer.status;
}

export async function makeOrders(server: TestServer, owner: Registered): Promise<Pick<Seed, 'order' | 'decision'>> {
  const input = { amount: '10', method: 'sandbox', key: newId() };
  const { data } = await server.call<{ order_no: string; pay_url: string }>('/api/v3/billing/recharge', input, owner);
  await payInSandbox(server, data.pay_url);
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
  const decision = newId();
  await server.db.database.systemPool.query(
    `insert into money_decision (account_id, id, kind, object, name, fen, limit_fen, input, state, asked_at, asked_by, asker)
     values ($1, $2, 'order', $3, $3, 100, 50, '{"reason":"test"}', 'waiting', now(), $4, 'another')`,
    [owner.accountId, decision, data.order_no, newId()],
  );
  return { decision: { id: decision }, order: { no: data.order_no, manualNo, transferNo: transfer.order_no } };
}
