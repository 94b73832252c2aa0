import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedPerson } from '../../../../test/seed-account.ts';
import { makeGoods } from '../../../../test/seed-goods.ts';
import { paidRecharge } from '../../../../test/seed-invoices.ts';
import { setTwoPersons } from '../../../../test/seed-withdrawals.ts';
import { type As, startTestServer, type TestServer } from '../../../../test/server.ts';
import { newId } from '../../../platform/database/index.ts';
import { addMember } from '../../identity/rights.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await setLimit('20.00');
});
afterAll(() => server.stop());

interface Waiting {
  id: string;
  name: string;
  amount: string;
  mine: boolean;
}

const setLimit = (yuan: string | null) => setTwoPersons(server, yuan === null ? null : Number(yuan) * 100);

const call = <T = { waiting: boolean }>(path: string, input: object, as: As) =>
  server.call<T>(`/api/v3/billing/${path}`, input, as);
const refund = (order_no: string, amount: string, as: As) =>
  call('order/refund', { order_no, amount, reason: 'too much', key: newId() }, as);
const waiting = async (as: As) => (await call<{ list: Waiting[] }>('decision/list', {}, as)).data.list;
const balance = async (as: As) => (await call<{ balance: string }>('balance', {}, as)).data.balance;

async function shop() {
  const owner = await server.register();
  const person = await seedPerson(server);
  await server.db.database.withSystem((tx) =>
    addMember(tx, owner.accountId, person, { role: 'admin', role_id: null, gwids: null }, new Date()),
  );
  const second: As = { token: person.token, account: owner.accountId };
  return { owner, second, order: await paidRecharge(server, owner, '50') };
}

describe('a refund above the limit', () => {
  it('is booked when another person confirms it, and only then', async () => {
    const { owner, second, order } = await shop();
    expect((await refund(order, '20', owner)).data).toEqual({ waiting: false });
    // parts count together
    expect((await refund(order, '0.01', owner)).data).toEqual({ waiting: true });
    expect((await refund(order, '1', second)).code).toBe(4104);
    expect(await balance(owner)).toBe('30.00');
    const [{ id }] = (await waiting(owner)) as [Waiting];
    expect(await waiting(owner)).toMatchObject([{ name: order, amount: '0.01', mine: true }]);
    expect(await waiting(second)).toMatchObject([{ id, mine: false }]);
    expect(await call('decision/confirm', { id }, owner)).toMatchObject({ code: 4121 });
    const stranger = await server.register();
    expect((await call('decision/confirm', { id }, stranger)).code).toBe(4113);
    const both = await Promise.all([1, 2].map(() => call('decision/confirm', { id }, second)));
    expect(both.map(({ code }) => code).toSorted()).toEqual([2000, 4104]);
    expect(await balance(owner)).toBe('29.99');
    expect(await waiting(owner)).toEqual([]);
    const log = await server.call<{ list: { action: string }[] }>('/api/v3/log/action/list', { limit: 50 }, owner);
    expect(log.data.list.map(({ action }) => action).filter((action) => action.startsWith('order.refund'))).toEqual([
      'order.refund',
      'order.refund_request',
      'order.refund',
    ]);
  });

  it('counts parts together that are asked for at once', async () => {
    const { owner, order } = await shop();
    const parts = await Promise.all([1, 2, 3].map(() => refund(order, '15', owner)));
    expect(parts.filter(({ data }) => data?.waiting === false)).toHaveLength(1);
    expect(await balance(owner)).toBe('35.00');
  });

  it('counts orders of one payer within a day together', async () => {
    const { owner, second, order } = await shop();
    const other = await paidRecharge(server, owner, '50');
    const both = await Promise.all([order, other].map((no) => refund(no, '15', owner)));
    expect(both.map(({ data }) => data.waiting).toSorted()).toEqual([false, true]);
    expect(await balance(owner)).toBe('85.00');
    const [{ id, amount }] = (await waiting(second)) as [Waiting];
    expect(amount).toBe('15.00');
    expect((await call('decision/confirm', { id }, second)).code).toBe(2000);
    const third = await paidRecharge(server, owner, '50');
    await server.db.database.systemPool.query(
      "update billing_refund set at = at - interval '1 day' where account_id = $1",
      [owner.accountId],
    );
    expect((await refund(third, '20', owner)).data).toEqual({ waiting: false });
  });

  it('counts recharge cards of an account within a day together', async () => {
    const { owner, second } = await shop();
    await setLimit('5.00');
    const { cardBatch } = await makeGoods(server, owner);
    const pool = server.db.database.systemPool;
    await pool.query('update billing_card set sold_at = now(), used_at = now() where account_id = $1', [
      owner.accountId,
    ]);
    const cards = await server.call<{ list: { id: string }[] }>(
      '/api/v3/recharge_card/list',
      { batch_id: cardBatch.id },
      owner,
    );
    const ask = ({ id }: { id: string }) =>
      server.call<{ waiting: boolean }>('/api/v3/recharge_card/refund', { id, reason: 'no' }, owner);
    const both = await Promise.all(cards.data.list.map(ask));
    expect(both.map(({ data }) => data.waiting).toSorted()).toEqual([false, true]);
    const [{ id }] = (await waiting(second)) as [Waiting];
    expect((await call('decision/refuse', { id, reason: 'tomorrow' }, second)).code).toBe(2000);
    await pool.query("update billing_card set refunded_at = refunded_at - interval '1 day' where account_id = $1", [
      owner.accountId,
    ]);
    const later = await Promise.all(cards.data.list.map(ask));
    expect(later.map(({ code }) => code).toSorted()).toEqual([2000, 4104]);
    expect(later.find(({ code }) => code === 2000)!.data).toEqual({ waiting: false });
    await setLimit('20.00');
  });

  it.each(['order', 'card'])('counts cards with the orders of any guest, the %s first', async (first) => {
    const { owner, order } = await shop();
    await setLimit('5.00');
    const { usedCard } = await makeGoods(server, owner);
    await server.db.database.systemPool.query(
      `update billing_order set payer = 'guest', subject = '{"device": "phone"}' where account_id = $1`,
      [owner.accountId],
    );
    const ask = {
      order: () => refund(order, '3', owner),
      card: () => server.call('/api/v3/recharge_card/refund', { ...usedCard, reason: 'no' }, owner),
    };
    const both = first === 'order' ? [ask.order, ask.card] : [ask.card, ask.order];
    for (const [nth, send] of both.entries()) expect((await send()).data).toEqual({ waiting: nth === 1 });
    await setLimit('20.00');
  });

  it('can be withdrawn by the first person and refused by another, each with a reason', async () => {
    const { owner, second, order } = await shop();
    for (const [as, action] of [
      [owner, 'order.refund_withdraw'],
      [second, 'order.refund_refuse'],
    ] as const) {
      expect((await refund(order, '30', owner)).data).toEqual({ waiting: true });
      const [{ id }] = (await waiting(as)) as [Waiting];
      expect((await call('decision/refuse', { id, reason: '' }, as)).status).toBe(422);
      expect((await call('decision/refuse', { id, reason: 'mistake' }, as)).code).toBe(2000);
      expect((await call('decision/confirm', { id }, second)).code).toBe(4104);
      const log = await server.call<{ list: { action: string }[] }>('/api/v3/log/action/list', { limit: 1 }, owner);
      expect(log.data.list[0]).toMatchObject({ action });
    }
    expect(await balance(owner)).toBe('50.00');
  });

  it('holds for recharge cards too, and not without a limit', async () => {
    const { owner, second } = await shop();
    await setLimit('1.00');
    const { usedCard } = await makeGoods(server, owner);
    const ask = () =>
      server.call<{ waiting: boolean }>('/api/v3/recharge_card/refund', { ...usedCard, reason: 'no' }, owner);
    expect((await ask()).data).toEqual({ waiting: true });
    const [{ id }] = (await waiting(second)) as [Waiting];
    expect((await call('decision/refuse', { id, reason: 'used' }, second)).code).toBe(2000);
    expect((await ask()).data).toEqual({ waiting: true });
    const [again] = (await waiting(second)) as [Waiting];
    expect((await call('decision/confirm', { id: again.id }, second)).code).toBe(2000);
    expect((await ask()).code).toBe(4104);
    await setLimit(null);
    expect((await refund(await paidRecharge(server, owner, '30'), '30', owner)).data).toEqual({ waiting: false });
    await setLimit('20.00');
  });
});
