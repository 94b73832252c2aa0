import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { nameBank, payInSandbox } from '../../../../test/seed-orders.ts';
import { fund } from '../../../../test/seed-withdrawals.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { newId } from '../../../platform/database/index.ts';
import { administrator } from '../../installation/testing/administrator.ts';

let server: TestServer;
let admin: Registered;
let owner: Registered;
beforeAll(async () => {
  server = await startTestServer();
  admin = await administrator(server);
  await nameBank(server);
  await server.call('/api/v3/sms/sale/save', { sold: true }, admin);
  const offered = { id: 'big', name: 'Big', nodes: 100, widthband: 100, foreign_widthband: 0, months: 12 };
  await server.call('/api/v3/sdwan/package/save', { list: [{ ...offered, price_fen: 6000 }] }, admin);
});
beforeEach(async () => {
  owner = await server.register();
});
afterAll(() => server.stop());

interface Paid {
  order_no: string;
  pay_url: string | null;
  transfer: { amount: string } | null;
}

const call = <T = Record<string, never>>(path: string, input: object, as: Registered = owner) =>
  server.call<T>(`/api/v3/${path}`, input, as);
const codeOf = () => newId().slice(-11).toUpperCase();
const terms = { kind: 'amount', amount: '20', percent: 10, min_price: '0', per_account: 1, max_uses: 0 };

async function coupon(change: object = {}): Promise<{ id: string; code: string }> {
  const code = codeOf();
  const given = { name: 'Spring', code, ...terms, goods: ['sms', 'sdwan_package'], account_id: null, valid_days: 30 };
  const { data } = await call<{ id: string }>('install/coupon/create', { ...given, ...change }, admin);
  return { id: data.id, code };
}
const listed = async (code: string) =>
  (await call<{ list: Record<string, unknown>[] }>('install/coupon/list', { keyword: code }, admin)).data.list[0];
const buy = (code: string, { count = 500, method = 'balance', key = newId(), as = owner } = {}) =>
  call<Paid>('sms/order/create', { count, method, key, coupon: code }, as);
const usable = async () =>
  (await call<{ list: { code: string; left: number | null }[] }>('billing/coupon/usable', {})).data.list;
const sdwanOrder = async () =>
  (await call<Paid>('sdwan/order/create', { kind: 'package', package_id: 'big' })).data.order_no;
const paySdwan = (order_no: string, method: string, code: string) =>
  call<Paid & { amount_fen: number }>('sdwan/order/pay', { order_no, method, coupon: code });
const expire = () =>
  server.db.database.systemPool.query("update billing_order set state = 'expired' where account_id = $1", [
    owner.accountId,
  ]);

it('delivers all messages of a pack, books what was paid, and takes the rest back with a refund', async () => {
  await fund(server, owner, 10_000);
  const { code } = await coupon();
  expect((await call('billing/coupon/quote', { coupon: code, goods: 'sms', price: '50' })).data).toEqual({
    taken_off: '20.00',
    price: '30.00',
  });
  const key = newId();
  const [first, again] = await Promise.all([buy(code, { key }), buy(code, { key })]);
  expect(again.data).toEqual(first.data);
  const { order_no } = first.data;
  expect((await call('billing/order/get', { order_no })).data).toMatchObject({
    title: '500 SMS',
    amount: '30.00',
    coupon: { code, taken_off: '20.00' },
    journal: [
      { ledger: 'sms', amount: '50.00' },
      { ledger: 'expense', amount: '-20.00' },
      { ledger: 'balance', amount: '-30.00' },
    ],
  });
  expect((await call('sms/balance', {})).data).toMatchObject({ left: 500 });
  expect(await listed(code)).toMatchObject({ used: 1, taken_off: '20.00' });
  expect((await buy(code, { key: newId() })).errors).toHaveProperty('coupon');
  await server.db.database.systemPool.query('update person set administers = true where id = $1', [owner.userId]);
  const refund = (amount: string) => call('billing/order/refund', { order_no, amount, reason: 'no', key: newId() });
  expect((await refund('10')).code).toBe(2000);
  expect((await call('sms/balance', {})).data).toMatchObject({ left: 333 });
  expect((await refund('20')).code).toBe(2000);
  expect((await call('sms/balance', {})).data).toMatchObject({ left: 0 });
  expect((await call('billing/balance', {})).data).toMatchObject({ balance: '100.00' });
});

it('leaves one fen to be paid', async () => {
  await fund(server, owner, 1);
  const { code } = await coupon({ amount: '999' });
  const { data } = await buy(code, { count: 100 });
  expect((await call('billing/order/get', { order_no: data.order_no })).data).toMatchObject({ amount: '0.01' });
});

it('is used once by all attempts to pay an SD-WAN order, and shows what was paid', async () => {
  const { code } = await coupon({ kind: 'share', percent: 25 });
  const order_no = await sdwanOrder();
  expect((await paySdwan(order_no, 'manual', code)).data.transfer).toMatchObject({ amount: '45.00' });
  expect((await paySdwan(await sdwanOrder(), 'sandbox', code)).errors).toHaveProperty('coupon');
  expect(await usable()).not.toContainEqual(expect.objectContaining({ code }));
  expect((await call('billing/coupon/usable', { item: order_no })).data).toMatchObject({
    list: expect.arrayContaining([expect.objectContaining({ code, left: 1 })]),
  });
  const { data } = await paySdwan(order_no, 'sandbox', code);
  await payInSandbox(server, data.pay_url!);
  expect((await call('sdwan/order/detail', { order_no })).data).toMatchObject({
    status: 'completed',
    amount_fen: 4500,
  });
  expect(await listed(code)).toMatchObject({ used: 1, taken_off: '15.00' });
});

it('gives the use of an expired or refused order back', async () => {
  const { code } = await coupon();
  const order_no = await sdwanOrder();
  await paySdwan(order_no, 'manual', code);
  await expire();
  expect(await usable()).toContainEqual(expect.objectContaining({ code, left: 1 }));
  const { data } = await buy(code, { method: 'manual' });
  expect((await buy(code, { method: 'sandbox' })).errors).toHaveProperty('coupon');
  const refused = { order_no: data.order_no, reason: 'Nothing arrived' };
  expect((await call('install/transfer/refuse', refused, admin)).code).toBe(2000);
  expect((await buy(code, { method: 'sandbox' })).code).toBe(2000);
});

it('holds the limit of all accounts when they buy at once', async () => {
  const { code } = await coupon({ max_uses: 2, per_account: 0 });
  const buyers = await Promise.all(Array.from({ length: 5 }, () => server.register()));
  const answers = await Promise.all(buyers.map((as) => buy(code, { method: 'sandbox', as })));
  expect(answers.filter(({ code: answer }) => answer === 2000)).toHaveLength(2);
  expect(await listed(code)).toMatchObject({ used: 2 });
});

it('names an unknown, foreign, switched off, unfit and ended coupon, and lists none of them', async () => {
  const foreign = await coupon({ account_id: admin.accountId });
  const off = await coupon();
  await call('install/coupon/switch', { id: off.id, enabled: false }, admin);
  const unfit = await coupon({ goods: ['sdwan_package'] });
  const large = await coupon({ min_price: '50.01' });
  const ended = await coupon();
  await call('install/coupon/end', { id: ended.id }, admin);
  const own = await coupon({ account_id: owner.accountId });
  const reason = async (code: string) =>
    (await call('billing/coupon/quote', { coupon: code, goods: 'sms', price: '50' })).errors?.coupon?.[0];
  expect(await Promise.all(['NOSUCH', foreign.code, off.code].map(reason))).toEqual(
    Array(3).fill('There is no such coupon'),
  );
  expect(await reason(unfit.code)).toBe('The coupon does not count for this');
  expect(await reason(large.code)).toBe('The coupon counts from CNY 50.01');
  expect(await reason(ended.code)).toBe('The coupon has ended');
  const codes = (await usable()).map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining([own.code, unfit.code, large.code]));
  for (const { code } of [foreign, off, ended]) expect(codes).not.toContain(code);
});

it('changes a coupon but not what an order has used', async () => {
  await fund(server, owner, 10_000);
  const { id, code } = await coupon();
  const save = (version: number, change: object = {}, given = code) =>
    call(
      'install/coupon/save',
      { id, version, name: 'May', code: given, ...terms, goods: ['sms'], account_id: null, ...change },
      admin,
    );
  expect((await save(1, { amount: '10' })).code).toBe(2000);
  expect((await save(1)).code).toBe(4104);
  expect((await buy(code)).code).toBe(2000);
  expect((await save(2, {}, codeOf())).errors).toHaveProperty('code');
  expect((await save(2, { amount: '11' })).errors).toHaveProperty('amount');
  expect((await save(2, { amount: '10', account_id: owner.accountId })).errors).toHaveProperty('account_id');
  expect((await save(2, { amount: '10', per_account: 3 })).code).toBe(2000);
  expect(await usable()).toContainEqual(expect.objectContaining({ code, left: 2 }));
  expect((await call('install/coupon/list', {})).code).toBe(4101);
});
