import { afterAll, beforeAll, expect, it } from 'vitest';
import { payInSandbox } from '../../../../test/seed-orders.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { newId } from '../../../platform/database/index.ts';
import { post } from '../service.ts';
import { titleOfKind } from './transactions.ts';

interface Line {
  id: string;
  at: string;
  order_no: string | null;
  type: string;
  state: string;
  amount: string;
  balance_after: string | null;
  earned_after: string | null;
  recharged_after: string | null;
}

let server: TestServer;
let owner: Registered;
beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  for (const amount of ['10', '20', '30', '40', '50', '60']) {
    const input = { amount, method: 'sandbox', key: newId() };
    const { data } = await server.call<{ pay_url: string }>('/api/v3/billing/recharge', input, owner);
    if (Number(amount) % 20 === 0) await payInSandbox(server, data.pay_url);
  }
  await server.db.database.systemPool.query(
    "update billing_order set state = 'expired' where account_id = $1 and fen = 1000",
    [owner.accountId],
  );
});
afterAll(() => server.stop());

const list = async (input: object) =>
  (await server.call<{ list: Line[]; total: number }>('/api/v3/billing/transaction/list', input, owner)).data;

async function paged(input: object): Promise<Line[]> {
  const { total } = await list({ ...input, limit: 2 });
  const pages = Array.from({ length: Math.ceil(total / 2) + 1 }, (_, at) => list({ ...input, limit: 2, page: at + 1 }));
  return (await Promise.all(pages)).flatMap((page) => page.list);
}

it.each([
  [{ sort: 'at', order: 'desc' }, ['60', '50', '40', '30', '20', '10']],
  [{ sort: 'at', order: 'asc' }, ['10', '20', '30', '40', '50', '60']],
  [{ sort: 'amount', order: 'desc' }, ['60', '50', '40', '30', '20', '10']],
  [{ sort: 'amount', order: 'asc' }, ['10', '20', '30', '40', '50', '60']],
  [{ sort: 'balance_after', order: 'desc' }, ['60', '40', '20', '50', '30', '10']],
  [{ sort: 'balance_after', order: 'asc' }, ['20', '40', '60', '10', '30', '50']],
])('pages through bookings and unpaid orders in one order, by %j', async (input, amounts) => {
  const lines = await paged(input);
  expect(lines.map(({ amount }) => amount)).toEqual(amounts.map((amount) => `${amount}.00`));
  expect(await list(input)).toMatchObject({ total: 6 });
});

it('names who paid and how, and sorts by both balances apart', async () => {
  const [newest] = (await list({ state: 'completed', limit: 1 })).list;
  expect(newest).toMatchObject({
    method: 'sandbox',
    payer: 'account',
    earned_after: '0.00',
    recharged_after: '120.00',
  });
  for (const [sort, after] of [
    ['earned_after', ['0.00', '0.00', '0.00']],
    ['recharged_after', ['20.00', '60.00', '120.00']],
  ] as const)
    expect(
      (await paged({ sort, order: 'asc' })).flatMap((line) => line[sort] ?? []),
      sort,
    ).toEqual(after);
});

it('tells the balance after each booking on every page', async () => {
  const after = (await paged({ sort: 'at', order: 'asc' })).map(({ balance_after }) => balance_after);
  expect(after).toEqual([null, '20.00', null, '60.00', null, '120.00']);
});

it.each([
  [{ state: 'completed' }, 3],
  [{ state: 'incomplete' }, 2],
  [{ state: 'expired' }, 1],
  [{ type: 'recharge' }, 6],
  [{ type: 'income' }, 0],
  [{ keyword: 'no such order' }, 0],
  [{ to: '2000-01-01T00:00:00.000Z' }, 0],
  [{ from: '2000-01-01T00:00:00.000Z' }, 6],
])('counts what %j leaves', async (input, count) => {
  const { list: lines, total } = await list({ ...input, limit: 10 });
  expect([lines.length, total]).toEqual([count, count]);
});

it.each([
  { type: 'recharge' },
  { state: 'completed' },
  { state: 'incomplete' },
  { type: 'recharge', state: 'completed' },
])('pages through %j by amount, with the balance after each', async (filter) => {
  const lines = await paged({ ...filter, sort: 'amount', order: 'desc' });
  const all = await paged({ sort: 'amount', order: 'desc' });
  expect(lines).toEqual(all.filter((line) => !filter.state || line.state === filter.state));
});

it('lists refunded orders with their refunds', async () => {
  const payer = await server.register();
  const { data } = await server.call<{ order_no: string; pay_url: string }>(
    '/api/v3/billing/recharge',
    { amount: '8', method: 'sandbox', key: newId() },
    payer,
  );
  await payInSandbox(server, data.pay_url);
  for (const amount of ['3', '5'])
    await server.call(
      '/api/v3/billing/order/refund',
      { order_no: data.order_no, amount, reason: 'test', key: newId() },
      payer,
    );
  const of = async (input: object) =>
    (await server.call<{ list: Line[]; total: number }>('/api/v3/billing/transaction/list', input, payer)).data;
  const refunded = await of({ state: 'refunded', sort: 'amount', order: 'asc' });
  expect(refunded.list.map(({ type, amount, balance_after }) => [type, amount, balance_after])).toEqual([
    ['refund', '-5.00', '0.00'],
    ['refund', '-3.00', '5.00'],
    ['recharge', '8.00', '8.00'],
  ]);
  expect(refunded.total).toBe(3);
  expect(await of({ state: 'completed' })).toEqual({ list: [], total: 0 });
});

it('keeps totals equal to the entries while many book at once', async () => {
  const { database } = server.db;
  const book = (key: number) =>
    database.withSystem((tx) =>
      post(tx, {
        accountId: owner.accountId,
        key: `many:${key}`,
        kind: 'access_code',
        at: new Date(),
        gwid: null,
        entries: [
          { ledger: 'balance', fen: 7 + key },
          { ledger: 'income', fen: -7 - key },
        ],
      }),
    );
  await Promise.all([
    ...Array.from({ length: 40 }, (_, key) => book(key)),
    ...Array.from({ length: 20 }, (_, key) => book(key)),
  ]);
  const { rows } = await database.systemPool.query(
    `select ledger, currency, (select sum(fen) from ledger_entry e
       where e.account_id = $1 and (e.ledger, e.currency) = (t.ledger, t.currency))::int as entries, sum(fen)::int as total
     from ledger_total t where account_id = $1 group by ledger, currency order by ledger`,
    [owner.accountId],
  );
  expect(rows.map(({ ledger, total }) => [ledger, total])).toEqual(
    rows.map(({ ledger, entries }) => [ledger, entries]),
  );
  expect(rows).toMatchObject([
    { ledger: 'balance', total: 1060 },
    { ledger: 'external' },
    { ledger: 'income' },
    { ledger: 'recharged', total: 12_000 },
  ]);
  expect((await list({ limit: 10 })).total).toBe(46);
  expect((await list({ type: 'income' })).total).toBe(40);
  const days = await database.systemPool.query(
    "select sum(fen)::int as fen from ledger_day where account_id = $1 and currency = 'CNY'",
    [owner.accountId],
  );
  expect(days.rows).toEqual([{ fen: 12_000 + 1060 }]);
});

it.each(['zh-CN', 'en'] as const)('names every kind of booking, in %s', (locale) => {
  const kinds = [
    'recharge',
    'refund',
    'portal_package',
    'sdwan_package',
    'recharge_card',
    'recharge_card_refund',
    'income_share',
    'withdrawal_request',
    'withdrawal_payment',
    'withdrawal_refusal',
    'sms',
    'sms_send',
    'sms_return',
  ];
  const names = kinds.map((kind) => titleOfKind(locale, kind));
  expect(names).not.toContain(titleOfKind(locale, 'unknown'));
  expect(new Set(names).size).toBe(kinds.length);
});
