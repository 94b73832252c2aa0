import { afterAll, beforeAll, expect, it } from 'vitest';
import { payInSandbox } from '../../../../test/seed-orders.ts';
import { fund, requestOf } from '../../../../test/seed-withdrawals.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { newId } from '../../../platform/database/index.ts';
import { administrator } from '../../installation/testing/administrator.ts';
import { incomeOf } from '../service.ts';

let server: TestServer;
let admin: Registered;
beforeAll(async () => {
  server = await startTestServer({ demo: false });
  admin = await administrator(server);
});
afterAll(() => server.stop());

const call = <T = Record<string, never>>(path: string, input: object, as: object) =>
  server.call<T>(`/api/v3/billing/${path}`, input, as);
const offer = (enabled: boolean) =>
  server.call('/api/v3/install/payment/save', { provider: 'sandbox', enabled }, admin);
const order = (owner: Registered, amount = '50') =>
  call<{ order_no: string; pay_url: string }>('recharge', { amount, method: 'sandbox', key: newId() }, owner);
const stateOf = async (owner: Registered, order_no: string) =>
  (await call<{ state: string }>('order/get', { order_no }, owner)).data.state;

it('is not offered until the administrator switches the sandbox on', async () => {
  const owner = await server.register();
  expect((await call('payment/list', {}, owner)).data).toEqual({ list: [] });
  expect((await order(owner)).errors).toHaveProperty('method');
  await server.call('/api/v3/sms/sale/save', { sold: true }, admin);
  const pack = { count: 100, method: 'sandbox', key: newId() };
  expect((await server.call('/api/v3/sms/order/create', pack, owner)).errors).toHaveProperty('method');
});

it('is not taken for an order that was made before the sandbox was switched off', async () => {
  const owner = await server.register();
  await offer(true);
  const { order_no, pay_url } = (await order(owner)).data;
  await offer(false);
  const { pathname, search } = new URL(pay_url);
  const page = await (await fetch(server.url + pathname + search, { headers: { localization: 'en' } })).text();
  expect(page).toContain('switched off');
  expect(page).not.toContain('<form');
  await payInSandbox(server, pay_url);
  expect(await stateOf(owner, order_no)).toBe('incomplete');
  await offer(true);
  await payInSandbox(server, pay_url);
  expect(await stateOf(owner, order_no)).toBe('completed');
});

it('is marked in the books, pays for nothing, and is neither withdrawn nor invoiced', async () => {
  const owner = await server.register();
  await offer(true);
  await fund(server, owner, 1000);
  const { order_no, pay_url } = (await order(owner)).data;
  await payInSandbox(server, pay_url);
  expect((await call('balance', {}, owner)).data).toMatchObject({ balance: '10.00', play_balance: '50.00' });
  expect((await call('transaction/list', {}, owner)).data).toMatchObject({
    list: [
      { order_no, currency: 'XTS', amount: '50.00', balance_after: '50.00' },
      { currency: 'CNY', amount: '10.00', balance_after: '10.00' },
    ],
  });
  const ask = (amount: string) => call('withdrawal/request', requestOf(amount), owner);
  expect((await ask('10.01')).code).toBe(4107);
  expect((await ask('10.00')).code).toBe(2000);
  expect((await call('invoice/order/list', {}, owner)).data).toMatchObject({ list: [] });
  expect((await server.call('/api/v3/sms/sale/save', { sold: true }, admin)).code).toBe(2000);
  const pack = { count: 100, method: 'balance', key: newId() };
  expect((await server.call('/api/v3/sms/order/create', pack, owner)).code).toBe(4107);
  const refund = { order_no, amount: '50', reason: 'enough', key: newId() };
  expect((await call('order/refund', refund, owner)).code).toBe(2000);
  expect((await call('balance', {}, owner)).data).toMatchObject({ balance: '0.00', play_balance: '0.00' });
});

it('is no income when a guest pays with it', async () => {
  const owner = await server.register();
  await offer(true);
  const { order_no, pay_url } = (await order(owner)).data;
  await server.db.database.systemPool.query("update billing_order set payer = 'guest' where order_no = $1", [order_no]);
  await payInSandbox(server, pay_url);
  expect(await stateOf(owner, order_no)).toBe('completed');
  const { rows } = await server.db.database.systemPool.query<{ currency: string }>(
    "select currency from ledger_entry where account_id = $1 and ledger = 'income'",
    [owner.accountId],
  );
  expect(rows).toEqual([{ currency: 'XTS' }]);
  const income = server.db.database.withSystem((tx) =>
    incomeOf(tx, owner.accountId, new Date(0), new Date(8.64e15), null),
  );
  expect(await income).toBe(0);
});
