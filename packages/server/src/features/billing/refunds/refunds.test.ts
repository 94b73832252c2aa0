import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fund, requestOf } from '../../../../test/seed-withdrawals.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/database/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { administrator } from '../../installation/testing/administrator.ts';
import { billingAlarms } from '../alarm-source.ts';
import { type ProviderStand, startProviderStand, type Webhook } from '../testing/provider-stand.ts';

const clock = new ManualClock(new Date('2026-11-27T09:00:00Z'));
let stand: ProviderStand;
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  stand = await startProviderStand(() => clock.now());
  server = await startTestServer({ clock, paymentEndpoints: stand.endpoints });
  const admin = await administrator(server);
  for (const settings of Object.values(stand.settings))
    expect((await server.call('/api/v3/install/payment/save', settings, admin)).code).toBe(2000);
});
afterAll(async () => {
  await server.stop();
  await stand.stop();
});
beforeEach(async () => {
  stand.reset();
  owner = await server.register();
});

const call = <T = object>(path: string, input: object = {}) => server.call<T>(`/api/v3/billing/${path}`, input, owner);
const balance = async () => (await call<{ balance: string }>('balance')).data.balance;
async function hear(name: string, { body, headers }: Webhook) {
  return (await fetch(`${server.url}/pay/webhook/${name}`, { method: 'POST', body, headers })).status;
}
const yuanOf = (fen: number) => (fen / 100).toFixed(2);

const paid = {
  stripe: (no: string, fen: number, more = {}) =>
    stand.stripe({
      type: 'checkout.session.completed',
      data: {
        object: {
          id: 'cs_1',
          client_reference_id: no,
          amount_total: fen,
          payment_status: 'paid',
          currency: 'cny',
          ...more,
        },
      },
    }),
  wechat: (no: string, fen: number, more = {}) =>
    stand.wechat({
      appid: 'wx1',
      mchid: '1900001',
      out_trade_no: no,
      trade_state: 'SUCCESS',
      amount: { total: fen, currency: 'CNY' },
      ...more,
    }),
  alipay: (no: string, fen: number) =>
    stand.alipay({
      notify_id: newId(),
      app_id: '2021001',
      out_trade_no: no,
      trade_status: 'TRADE_SUCCESS',
      total_amount: yuanOf(fen),
    }),
};
type Name = keyof typeof paid;

async function recharged(name: Name, fen = 1000): Promise<string> {
  const { data } = await call<{ order_no: string }>('recharge', { amount: yuanOf(fen), method: name, key: newId() });
  expect(await hear(name, paid[name](data.order_no, fen))).toBe(200);
  return data.order_no;
}

interface Refund {
  amount: string;
  state: string;
  failure: string;
  settled_at: string | null;
}
const order = async (order_no: string) =>
  (
    await call<{ state: string; refunded: string; refunds: Refund[]; journal: { kind: string; amount: string }[] }>(
      'order/get',
      { order_no },
    )
  ).data;
const refundOf = async (order_no: string) => (await order(order_no)).refunds.at(-1)!;
const settledAs = (order_no: string, state: string) =>
  expect.poll(() => refundOf(order_no), { timeout: 30_000 }).toMatchObject({ state });
const refund = (order_no: string, amount = '4.00', key = newId()) =>
  call('order/refund', { order_no, amount, reason: 'Test', key });
const exceptions = async () =>
  (await call<{ list: { id: string; kind: string; handled_at: string | null }[] }>('exception/list')).data.list;
const alarms = () =>
  server.db.database.withSystem(async (tx) =>
    (await billingAlarms.read!(tx, { trackedNetworks: () => [] } as never)).filter(
      ({ accountId, kind, isProblem }) => accountId === owner.accountId && kind === 'payment_exception' && isProblem,
    ),
  );
async function ask(): Promise<void> {
  clock.advance(2 * 60_000);
  await server.db.database.withSystem((tx) => enqueue(tx, 'billing-refunds', {}));
}

it('a refund of WeChat Pay is on its way until it arrives, and is booked back when it does not', async () => {
  const no = await recharged('wechat');
  let status = 'PROCESSING';
  stand.answer(({ path }) => ({ body: path.includes('/refund/') ? JSON.stringify({ status }) : '{}' }));
  expect((await refund(no)).code).toBe(2000);
  await settledAs(no, 'accepted');
  expect(await balance()).toBe('6.00');
  status = 'ABNORMAL';
  await ask();
  await settledAs(no, 'failed');
  expect(await order(no)).toMatchObject({ state: 'completed', refunded: '0.00', refunds: [{ failure: 'ABNORMAL' }] });
  expect(await balance()).toBe('10.00');
  expect((await order(no)).journal.map(({ kind, amount }) => `${kind} ${amount}`).toSorted()).toEqual([
    'recharge -10.00',
    'recharge 10.00',
    'refund -4.00',
    'refund 4.00',
    'refund_failed -4.00',
    'refund_failed 4.00',
  ]);
  const [failed] = await exceptions();
  expect(failed).toMatchObject({ kind: 'refund_failed', handled_at: null });
  expect(await alarms()).toHaveLength(1);
  // the merchant pays it out on WeChat Pay's site
  const notice = stand.wechat({
    out_trade_no: no,
    out_refund_no: `${no}-r0`,
    refund_status: 'SUCCESS',
    amount: { total: 1000, refund: 400 },
  });
  for (let at = 0; at < 2; at += 1) expect(await hear('wechat', notice)).toBe(200);
  expect(await order(no)).toMatchObject({ refunded: '4.00', refunds: [{ state: 'arrived' }] });
  expect(await balance()).toBe('6.00');
  expect((await call('exception/handle', { id: failed!.id, remark: 'paid out by hand' })).code).toBe(2000);
  expect((await call('exception/handle', { id: failed!.id, remark: 'twice' })).code).toBe(4104);
  expect(await alarms()).toEqual([]);
});

it('a refund that WeChat Pay refuses is booked back, and can be made anew', async () => {
  const no = await recharged('wechat');
  stand.answer(() => ({ status: 403, body: '{"code":"NOT_ENOUGH","message":"balance"}' }));
  await refund(no);
  await settledAs(no, 'failed');
  expect(await refundOf(no)).toMatchObject({ failure: 'NOT_ENOUGH balance' });
  expect(await balance()).toBe('10.00');
  stand.answer(() => ({ body: '{"status":"SUCCESS"}' }));
  await refund(no);
  await settledAs(no, 'arrived');
  expect(await order(no)).toMatchObject({ refunded: '4.00', refunds: [{ state: 'failed' }, { state: 'arrived' }] });
});

it('asks Alipay what became of a refund that changed nothing', async () => {
  const no = await recharged('alipay');
  const methodOf = (body: string) => new URLSearchParams(body).get('method')!;
  let known: object = {};
  stand.answer(({ body }) => {
    const method = methodOf(body);
    return stand.alipayReply(
      method,
      method === 'alipay.trade.refund' ? { code: '10000', fund_change: 'N' } : { code: '10000', ...known },
    );
  });
  await refund(no);
  await settledAs(no, 'accepted');
  known = { refund_status: 'REFUND_SUCCESS' };
  await ask();
  await settledAs(no, 'arrived');
  stand.answer(({ body }) => stand.alipayReply(methodOf(body), { code: '40004', sub_code: 'ACQ.TRADE_HAS_FINISHED' }));
  await refund(no, '1.00');
  await settledAs(no, 'failed');
  expect(await balance()).toBe('6.00');
  // made on Alipay's own site
  stand.answer(({ body }) =>
    stand.alipayReply(methodOf(body), { code: '10000', refund_status: 'REFUND_SUCCESS', refund_amount: '2.50' }),
  );
  const notice = stand.alipay({
    notify_id: newId(),
    app_id: '2021001',
    out_trade_no: no,
    out_biz_no: 'theirs',
    trade_status: 'TRADE_SUCCESS',
    total_amount: '10.00',
    refund_fee: '6.50',
  });
  expect(await hear('alipay', notice)).toBe(200);
  expect(await balance()).toBe('3.50');
  expect((await exceptions()).map(({ kind }) => kind).toSorted()).toEqual(['refund_elsewhere', 'refund_failed']);
});

it('books refunds and disputes of Stripe’s own site, found by the payment', async () => {
  const no = await recharged('stripe');
  stand.answer(() => ({ body: JSON.stringify({ metadata: { order_no: no } }) }));
  const send = (type: string, object: object) =>
    hear('stripe', stand.stripe({ type, data: { object: { currency: 'cny', payment_intent: 'pi_1', ...object } } }));
  expect(await send('refund.created', { id: 're_9', amount: 100, status: 'pending' })).toBe(200);
  expect(await refundOf(no)).toMatchObject({ amount: '1.00', state: 'accepted' });
  expect(await send('refund.failed', { id: 're_9', amount: 100, status: 'failed', failure_reason: 'lost card' })).toBe(
    200,
  );
  expect(await refundOf(no)).toMatchObject({ state: 'failed', failure: 'lost card' });
  expect(await balance()).toBe('10.00');
  const dispute = { id: 'dp_1', amount: 1000, reason: 'fraudulent' };
  await send('charge.dispute.created', dispute);
  expect(await balance()).toBe('10.00');
  await send('charge.dispute.funds_withdrawn', dispute);
  expect([await balance(), (await order(no)).state]).toEqual(['0.00', 'refunded']);
  await send('charge.dispute.funds_reinstated', dispute);
  expect([await balance(), (await order(no)).state]).toEqual(['10.00', 'completed']);
  expect((await exceptions()).map(({ kind }) => kind).toSorted()).toEqual([
    'dispute',
    'refund_elsewhere',
    'refund_failed',
  ]);
});

it('completes no order by a payment in another currency, to another merchant, or of another amount', async () => {
  const open = async (method: Name) =>
    (await call<{ order_no: string }>('recharge', { amount: '12.34', method, key: newId() })).data.order_no;
  const yen = await open('stripe');
  expect(await hear('stripe', paid.stripe(yen, 1234, { currency: 'jpy' }))).toBe(200);
  const other = await open('wechat');
  expect(await hear('wechat', paid.wechat(other, 1234, { mchid: '666' }))).toBe(200);
  const less = await open('alipay');
  expect(await hear('alipay', paid.alipay(less, 1233))).toBe(200);
  expect(await balance()).toBe('0.00');
  for (const no of [yen, other, less]) expect((await order(no)).state).toBe('incomplete');
  expect((await exceptions()).map(({ kind }) => kind).toSorted()).toEqual([
    'amount_differs',
    'currency_differs',
    'merchant_differs',
  ]);
  expect(await alarms()).toMatchObject([{ value: 3 }]);
  expect(await hear('stripe', paid.stripe(yen, 1234))).toBe(200);
  expect((await order(yen)).state).toBe('completed');
});

it('completes no order by an answer about another currency, mode or merchant', async () => {
  const open = async (method: Name) =>
    (await call<{ order_no: string }>('recharge', { amount: '12.34', method, key: newId() })).data.order_no;
  const [yuan, test, other] = [await open('alipay'), await open('stripe'), await open('wechat')];
  const ofTrade = { code: '10000', trade_status: 'TRADE_SUCCESS', total_amount: '12.34', trans_currency: 'JPY' };
  const intent = { id: 'pi_1', status: 'succeeded', amount_received: 1234, currency: 'cny', livemode: true };
  const notice = { appid: 'wx1', mchid: '666', trade_state: 'SUCCESS', amount: { total: 1234, currency: 'CNY' } };
  stand.answer(({ path, body }) => {
    if (path.startsWith('/v1/')) return { body: JSON.stringify({ data: [intent] }) };
    return path.startsWith('/v3/')
      ? { body: JSON.stringify(notice) }
      : stand.alipayReply(new URLSearchParams(body).get('method')!, ofTrade);
  });
  clock.advance(3 * 60_000);
  await server.db.database.withSystem((tx) => enqueue(tx, 'billing-query', {}));
  await expect
    .poll(async () => (await exceptions()).map(({ kind }) => kind).toSorted())
    .toEqual(['currency_differs', 'merchant_differs', 'merchant_differs']);
  for (const no of [yuan, test, other]) expect((await order(no)).state).toBe('incomplete');
});

it('books a repeated form once, and refuses its key for another refund', async () => {
  const no = await recharged('alipay');
  stand.answer(() => stand.alipayReply('alipay.trade.refund', { code: '10000', fund_change: 'Y' }));
  const key = newId();
  const codes = await Promise.all([refund(no, '4.00', key), refund(no, '4.00', key), refund(no, '4.00', key)]);
  expect(codes.map(({ code }) => code)).toEqual([2000, 2000, 2000]);
  expect(await refund(no, '3.00', key)).toMatchObject({ code: 4104 });
  expect(await order(no)).toMatchObject({ refunded: '4.00', refunds: [{ amount: '4.00' }] });
});

it('spends what was recharged last, and gives it back to its source only', async () => {
  const no = await recharged('stripe', 10_000);
  await fund(server, owner, 3000);
  await server.db.database.systemPool.query('update person set administers = true where id = $1', [owner.userId]);
  const own = async () => {
    const { data } = await call<{ balance: string; earned: string; recharged: string }>('balance');
    return [data.balance, data.earned, data.recharged];
  };
  const any = <T>(path: string, input: object) => server.call<T>(`/api/v3/${path}`, input, owner);
  expect((await any('sms/sale/save', { sold: true })).code).toBe(2000);
  const buy = async (count: number) =>
    (await any<{ order_no: string }>('sms/order/create', { count, method: 'balance', key: newId() })).data.order_no;
  expect(await own()).toEqual(['130.00', '30.00', '100.00']);
  await buy(100);
  expect(await own()).toEqual(['120.00', '20.00', '100.00']);
  const pack = await buy(500);
  expect(await own()).toEqual(['70.00', '0.00', '70.00']);
  expect(await any('billing/withdrawal/request', requestOf('0.01'))).toMatchObject({ code: 4107 });
  expect((await refund(no, '70.01')).code).toBe(4107);
  // of the 50 yuan, 30 were taken last
  expect((await refund(pack, '40.00')).code).toBe(2000);
  expect(await own()).toEqual(['110.00', '10.00', '100.00']);
  expect((await refund(pack, '10.00')).code).toBe(2000);
  expect(await own()).toEqual(['120.00', '20.00', '100.00']);
  stand.answer(({ path }) =>
    path.includes('search')
      ? { body: '{"data":[{"id":"pi_1","status":"succeeded"}]}' }
      : { status: 402, body: '{"error":{"code":"charge_disputed"}}' },
  );
  expect((await refund(no, '100.00')).code).toBe(2000);
  await settledAs(no, 'failed');
  expect(await own()).toEqual(['120.00', '20.00', '100.00']);
  // what Stripe takes itself is taken of what was earned, once the recharged money is spent
  await buy(1000);
  expect(await own()).toEqual(['20.00', '0.00', '20.00']);
  stand.answer(() => ({ body: JSON.stringify({ metadata: { order_no: no } }) }));
  const theirs = { id: 're_8', amount: 5000, status: 'succeeded', currency: 'cny', payment_intent: 'pi_1' };
  expect(await hear('stripe', stand.stripe({ type: 'refund.created', data: { object: theirs } }))).toBe(200);
  expect(await own()).toEqual(['-30.00', '-30.00', '0.00']);
});
