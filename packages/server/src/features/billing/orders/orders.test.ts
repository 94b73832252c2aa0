import { afterAll, beforeAll, expect, it } from 'vitest';
import { nameBank, payInSandbox } from '../../../../test/seed-orders.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { newId } from '../../../platform/database/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await nameBank(server);
});
afterAll(() => server.stop());

const call = <T = Record<string, never>>(path: string, input: object, as: object) =>
  server.call<T>(`/api/v3/billing/${path}`, input, as);

async function recharge(owner: Registered, amount: string, method = 'sandbox', key = newId()) {
  const { data } = await call<{ order_no: string; pay_url: string }>('recharge', { amount, method, key }, owner);
  return data;
}
const balance = async (owner: Registered) => (await call<{ balance: string }>('balance', {}, owner)).data.balance;

it('recharges the balance on the sandbox page, however often the order is sent and paid', async () => {
  const owner = await server.register();
  const key = newId();
  const [order, again] = [await recharge(owner, '20.5', 'sandbox', key), await recharge(owner, '20.5', 'sandbox', key)];
  expect(again).toEqual(order);
  const { pathname, search } = new URL(order.pay_url);
  const shown = await fetch(server.url + pathname + search, { headers: { localization: 'en' } });
  expect(await shown.text()).toContain('no real money moves');
  expect((await fetch(server.url + pathname)).status).toBe(404);
  for (let at = 0; at < 2; at++) expect(await payInSandbox(server, order.pay_url)).toBe(303);
  expect(await balance(owner)).toBe('20.50');
  const { data } = await call('order/get', { order_no: order.order_no }, owner);
  expect(data).toMatchObject({
    state: 'completed',
    title: 'Balance recharge',
    amount: '20.50',
    journal: [
      { ledger: 'recharged', amount: '20.50' },
      { ledger: 'external', amount: '-20.50' },
    ],
  });
});

it('refuses a key that was sent with another amount before', async () => {
  const owner = await server.register();
  const input = { amount: '5', method: 'sandbox', key: newId() };
  expect((await call('recharge', input, owner)).code).toBe(2000);
  const changed = await call('recharge', { ...input, amount: '6' }, owner);
  expect(changed).toMatchObject({ code: 4104, message: 'This was sent before with other values. Begin again' });
});

it('answers a blank reason beside its field, and an amount beyond the bounds with them', async () => {
  const owner = await server.register();
  const { order_no } = await recharge(owner, '30');
  const blank = await call('order/refund', { order_no, amount: '1', reason: '  ', key: newId() }, owner);
  expect(blank.errors).toHaveProperty('reason');
  const input = { amount: '1000000', method: 'sandbox', key: newId() };
  expect((await call('recharge', input, owner)).errors?.amount?.[0]).toMatch('1,000,000');
});

it('refunds with a reason what the balance holds, lists it, and answers 4108 for an unknown order', async () => {
  const owner = await server.register();
  const { order_no, pay_url } = await recharge(owner, '30');
  await payInSandbox(server, pay_url);
  const refund = (amount: string, no = order_no) =>
    call('order/refund', { order_no: no, amount, reason: 'too much', key: newId() }, owner);
  expect((await refund('12')).code).toBe(2000);
  expect((await refund('19')).errors).toEqual({ amount: ['At most CNY 18.00 is left to refund'] });
  expect((await refund('1', 'none')).code).toBe(4108);
  expect(await balance(owner)).toBe('18.00');
  const open = await recharge(owner, '5');
  const unpaid = { code: 4104, message: 'This order is not paid: there is nothing to refund' };
  expect(await refund('1', open.order_no)).toMatchObject(unpaid);
  const { data } = await call<{ list: object[]; total: number }>('transaction/list', {}, owner);
  expect(data).toMatchObject({
    list: [
      { order_no: open.order_no, type: 'recharge', amount: '5.00', balance_after: null, state: 'incomplete' },
      { order_no, type: 'refund', amount: '-12.00', balance_after: '18.00' },
      { order_no, type: 'recharge', amount: '30.00', balance_after: '30.00', state: 'completed' },
    ],
    total: 3,
  });
  const sorted = async (order: 'asc' | 'desc') => {
    const answer = await call<{ list: { balance_after: string | null }[] }>(
      'transaction/list',
      { sort: 'balance_after', order },
      owner,
    );
    return answer.data.list.map((row) => row.balance_after);
  };
  expect(await sorted('asc')).toEqual(['18.00', '30.00', null]);
  expect(await sorted('desc')).toEqual(['30.00', '18.00', null]);
});

it('lets only an administrator of the installation mark the account’s own manual order as paid', async () => {
  const owner = await server.register();
  const { order_no, pay_url } = await recharge(owner, '5', 'manual');
  expect(pay_url).toBeNull();
  expect((await call('order/settle', { order_no }, owner)).code).toBe(4101);
  await server.db.database.systemPool.query('update person set administers = true where id = $1', [owner.userId]);
  expect((await call('order/settle', { order_no }, owner)).code).toBe(2000);
  expect((await call('order/settle', { order_no }, owner)).code).toBe(4104);
  expect(await balance(owner)).toBe('5.00');
});

it('takes webhooks at their address only with a signature', async () => {
  const send = (path: string) =>
    fetch(`${server.url}/pay/webhook/${path}`, { method: 'POST', body: '{"type":"paid"}' });
  expect((await send('sandbox')).status).toBe(401);
  expect((await send('other')).status).toBe(401);
});

it('shows the differences from a statement by day', async () => {
  const owner = await server.register();
  await server.db.database.systemPool.query(
    "insert into payment_difference values ($1, 'sandbox', '2026-11-20', '77', 0, 1250)",
    [owner.accountId],
  );
  expect((await call('difference/list', {}, owner)).data).toEqual({
    list: [{ provider: 'sandbox', day: '2026-11-20', order_no: '77', ours: '0.00', theirs: '12.50', currency: 'CNY' }],
  });
});
