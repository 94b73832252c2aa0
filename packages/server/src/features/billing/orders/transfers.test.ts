import { afterAll, beforeAll, expect, it } from 'vitest';
import { nameBank } from '../../../../test/seed-orders.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { newId } from '../../../platform/database/index.ts';
import { administrator } from '../../installation/testing/administrator.ts';

let server: TestServer;
let admin: Registered;
beforeAll(async () => {
  server = await startTestServer();
  admin = await administrator(server);
  await nameBank(server);
});
afterAll(() => server.stop());

const call = <T = Record<string, never>>(path: string, input: object, as: object) =>
  server.call<T>(`/api/v3/${path}`, input, as);
const install = <T = unknown>(act: string, input: object, as: object = admin) =>
  call<T>(`install/transfer/${act}`, input, as);
const balance = async (owner: Registered) =>
  (await call<{ balance: string }>('billing/balance', {}, owner)).data.balance;

async function ordered(amount = '80'): Promise<{ owner: Registered; order_no: string }> {
  const owner = await server.register();
  const input = { amount, method: 'manual', key: newId() };
  return { owner, order_no: (await call<{ order_no: string }>('billing/recharge', input, owner)).data.order_no };
}

it('lists transfers of all accounts to the administrator only, waiting ones first', async () => {
  const [first, second] = [await ordered('11'), await ordered('12')];
  await install('confirm', { order_no: second.order_no, receipt: 'TR-1' });
  const { data } = await install<{ list: { order_no: string; account: string }[]; total: number }>('list', {});
  expect(data.list.slice(0, 2)).toMatchObject([
    { order_no: first.order_no, title: 'Balance recharge', amount: '11.00', state: 'incomplete', receipt: null },
    { order_no: second.order_no, amount: '12.00', state: 'completed', receipt: 'TR-1' },
  ]);
  expect((await install('list', {}, first.owner)).code).toBe(4101);
});

it('finds an order by a part of its number, and names the administrator who marked it as paid', async () => {
  const input = { amount: '13', method: 'manual', key: newId() };
  const { order_no } = (await call<{ order_no: string }>('billing/recharge', input, admin)).data;
  expect((await call('billing/order/settle', { order_no }, admin)).code).toBe(2000);
  const { data } = await install<{ list: { decided_by: string | null }[] }>('list', { keyword: order_no.slice(1) });
  expect(data.list).toMatchObject([{ order_no, state: 'completed', decided_by: expect.any(String) }]);
});

it('books a confirmed transfer once, with its receipt, log rows in both accounts and a message', async () => {
  const { owner, order_no } = await ordered();
  const answers = await Promise.all([1, 2, 3].map(() => install('confirm', { order_no, receipt: 'TR-2' })));
  expect(answers.map(({ code }) => code).toSorted()).toEqual([2000, 4104, 4104]);
  expect(await balance(owner)).toBe('80.00');
  for (const as of [owner, admin]) {
    const log = await call<{ list: { action: string; after: object }[] }>('log/action/list', {}, as);
    expect(log.data.list[0]).toMatchObject({ action: 'transfer.confirm' });
  }
  const inbox = await call<{ list: object[] }>('message/list', { type: 'billing' }, owner);
  expect(inbox.data.list).toMatchObject([
    { template: 'transferConfirmed', params: { order: order_no, amount: '80.00' } },
  ]);
});

it('refuses with a reason; a refused order is not paid later, and the same goods can be ordered again', async () => {
  const owner = await server.register();
  const key = newId();
  const order = async () =>
    (await call<{ order_no: string }>('billing/recharge', { amount: '9', method: 'manual', key }, owner)).data.order_no;
  const order_no = await order();
  expect((await install('refuse', { order_no, reason: ' ' })).errors).toHaveProperty('reason');
  expect((await install('refuse', { order_no, reason: 'Nothing arrived' })).code).toBe(2000);
  expect((await install('confirm', { order_no, receipt: 'TR-3' })).code).toBe(4104);
  expect(await balance(owner)).toBe('0.00');
  expect((await call('billing/transaction/list', { state: 'refused' }, owner)).data).toMatchObject({
    list: [{ order_no, state: 'refused', balance_after: null }],
    total: 1,
  });
  expect((await call('billing/transaction/list', {}, owner)).data).toMatchObject({ total: 1 });
  const inbox = await call<{ list: object[] }>('message/list', { type: 'billing' }, owner);
  expect(inbox.data.list).toMatchObject([{ template: 'transferRefused', params: { reason: 'Nothing arrived' } }]);
  const again = await order();
  expect(again).not.toBe(order_no);
  expect(await order()).toBe(again);
});

it('confirms a transfer that arrives after its order has expired', async () => {
  const { owner, order_no } = await ordered('7');
  await server.db.database.systemPool.query("update billing_order set state = 'expired' where order_no = $1", [
    order_no,
  ]);
  expect((await install('confirm', { order_no, receipt: 'late' })).code).toBe(2000);
  expect(await balance(owner)).toBe('7.00');
});

it('answers 4108 for an order that does not exist, or that a guest pays', async () => {
  const { order_no } = await ordered();
  await server.db.database.systemPool.query("update billing_order set payer = 'guest' where order_no = $1", [order_no]);
  for (const unknown of [order_no, 'none'])
    expect((await install('confirm', { order_no: unknown, receipt: 'x' })).code).toBe(4108);
});

it('offers transfers once the bank account is named, and tells each order its own reference', async () => {
  const owner = await server.register();
  const methods = async () =>
    (await call<{ list: { method: string }[] }>('billing/payment/list', {}, owner)).data.list.map(
      ({ method }) => method,
    );
  const order = (key = newId()) =>
    call<{ order_no: string; transfer: { reference: string } }>(
      'billing/recharge',
      { amount: '80', method: 'manual', key },
      owner,
    );
  const bank = { bank: 'Bank of Hangzhou', account_no: '1202 0212 0990 0012', payee: 'Yunxun' };
  const { data: before } = await install<{ version: number }>('bank/get', {});
  const save = (change: object) => install('bank/save', { ...bank, enabled: true, ...change });
  expect((await save({ enabled: false, version: before.version })).code).toBe(2000);
  expect(await methods()).not.toContain('manual');
  expect((await order()).errors).toHaveProperty('method');
  const version = before.version + 1;
  expect((await save({ version: before.version })).code).toBe(4104);
  expect((await save({ version, payee: '' })).errors).toHaveProperty('payee');
  expect((await save({ version, account_no: 'none' })).errors).toHaveProperty('account_no');
  expect((await save({ version })).code).toBe(2000);
  expect(await methods()).toContain('manual');
  const key = newId();
  const { data } = await order(key);
  expect(data.transfer).toMatchObject({
    ...bank,
    amount: '80.00',
    reference: expect.stringMatching(/^YX(-\w{3}){3}$/),
  });
  expect((await order(key)).data).toEqual(data);
  expect((await order()).data.transfer.reference).not.toBe(data.transfer.reference);
  expect((await call('billing/order/get', { order_no: data.order_no }, owner)).data).toMatchObject({
    transfer: data.transfer,
  });
  const { reference } = data.transfer;
  for (const keyword of [reference, `recharge ${reference.toLowerCase().replaceAll('-', ' ')} thanks`])
    expect((await install('list', { keyword })).data).toMatchObject({
      list: [{ order_no: data.order_no, reference }],
      total: 1,
    });
});
