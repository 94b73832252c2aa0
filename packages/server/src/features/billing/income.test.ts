import { afterAll, beforeAll, expect, it } from 'vitest';
import { payInSandbox } from '../../../test/seed-orders.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { newId } from '../../platform/database/index.ts';
import { type Entry, post } from './service.ts';

const clock = new ManualClock(new Date('2026-11-23T20:00:00Z'));
const [yesterday, today] = ['2026-11-23', '2026-11-24'];

interface Sums {
  key: string;
  income: string;
  refunds: string;
  fees: string;
  net: string;
}

let server: TestServer;
let owner: Registered;
let gwid: string;
beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  gwid = (await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' }, owner)).data.gwid;
  const input = { amount: '30', method: 'sandbox', key: newId() };
  const { data } = await call<{ order_no: string; pay_url: string }>('recharge', input);
  const order = 'update billing_order set payer = $3, gwid = $2 where order_no = $1';
  await server.db.database.systemPool.query(order, [data.order_no, gwid, 'guest']);
  await payInSandbox(server, data.pay_url);
  await call('order/refund', { order_no: data.order_no, amount: '12.5', reason: 'Complaint', key: newId() });
  await book('recharge_card:1', 'recharge_card', [
    { ledger: 'cash', fen: 800 },
    { ledger: 'income', fen: -800 },
  ]);
  await book('withdrawal:1:payment', 'withdrawal_payment', [
    { ledger: 'external', fen: 900 },
    { ledger: 'expense', fen: 100 },
    { ledger: 'frozen', fen: -1000 },
  ]);
  await book(
    'play',
    'portal_package',
    [
      { ledger: 'balance', fen: 99 },
      { ledger: 'income', fen: -99 },
    ],
    'XTS',
  );
});
afterAll(() => server.stop());

const call = <T>(path: string, input: object) => server.call<T>(`/api/v3/billing/${path}`, input, owner);
const book = (key: string, kind: string, entries: Entry[], currency: 'CNY' | 'XTS' = 'CNY') =>
  server.db.database.withSystem((tx) =>
    post(tx, {
      accountId: owner.accountId,
      key,
      kind,
      gwid: null,
      currency,
      entries,
      at: new Date('2026-11-23T04:00:00Z'),
    }),
  );
const income = async (group: string, days = 30) =>
  (await call<{ list: Sums[] }>('income/list', { group, days, sort: 'key', order: 'asc' })).data.list;

it('sums income, refunds and fees apart, by the account’s day', async () => {
  expect(await income('day')).toMatchObject([
    { key: yesterday, income: '8.00', refunds: '0.00', fees: '1.00', net: '7.00' },
    { key: today, income: '30.00', refunds: '12.50', fees: '0.00', net: '17.50' },
  ]);
  expect(await income('day', 1)).toMatchObject([{ key: today }]);
});

it('sums by network with its name, and by method', async () => {
  expect(await income('network')).toMatchObject([
    { key: '', name: null, income: '8.00' },
    { key: gwid, name: 'Lobby', net: '17.50' },
  ]);
  expect((await income('method')).map(({ key, net }) => [key, net])).toEqual([
    ['recharge_card', '8.00'],
    ['sandbox', '17.50'],
    ['withdrawal', '-1.00'],
  ]);
});

it.each(['day', 'month', 'network', 'method'])(
  'explains each row by %s with the journal lines that add up to it',
  async (group) => {
    for (const { key, net } of await income(group)) {
      const { data } = await call<{ list: { amount: string }[] }>('income/journal', { group, days: 30, key });
      const sum = data.list.reduce((fen, { amount }) => fen + Math.round(Number(amount) * 100), 0);
      expect((sum / 100).toFixed(2)).toBe(net);
    }
  },
);

it('sums whole months, whatever day the period begins with', async () => {
  expect(await income('month', 1)).toMatchObject([{ key: today.slice(0, 7), income: '38.00', net: '24.50' }]);
});

it('sums all rows of any grouping alike', async () => {
  const sums = async (group: string) =>
    (await call<{ sums: object }>('income/list', { group, days: 30, limit: 1 })).data.sums;
  const byDay = await sums('day');
  for (const group of ['month', 'network', 'method']) expect(await sums(group), group).toEqual(byDay);
});

it('keeps the total on a page beyond the end', async () => {
  for (const [path, input, total] of [
    ['income/list', { group: 'method', days: 30 }, 3],
    ['income/journal', { group: 'method', days: 30, key: 'sandbox' }, 2],
  ] as const)
    expect((await call(path, { ...input, page: 9 })).data, path).toMatchObject({ list: [], total });
});

it('agrees with the income of today on the home page', async () => {
  const { data } = await server.call<{ income: string }>('/api/v3/user_stat/complex', {}, owner);
  expect(data.income).toBe((await income('day', 1))[0]!.net);
});
