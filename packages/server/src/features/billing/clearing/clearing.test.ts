import { afterAll, beforeAll, expect, it } from 'vitest';
import { nameBank, payInSandbox } from '../../../../test/seed-orders.ts';
import { requestOf, withdrawalPassword } from '../../../../test/seed-withdrawals.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/database/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { administrator } from '../../installation/testing/administrator.ts';
import { wechatBill, wechatLine } from '../testing/bills.ts';
import { type ProviderStand, startProviderStand } from '../testing/provider-stand.ts';
import { createProviderWorld, type ProviderName } from '../testing/provider-world.ts';

const clock = new ManualClock(new Date('2026-11-27T01:30:00Z'));
let stand: ProviderStand;
let world: ReturnType<typeof createProviderWorld>;
let server: TestServer;
let admin: Registered;
let owner: Registered;

beforeAll(async () => {
  stand = await startProviderStand(() => clock.now());
  world = createProviderWorld(
    stand,
    () => clock.now(),
    () => 'arrives',
  );
  server = await startTestServer({ clock, demo: false, paymentEndpoints: stand.endpoints });
  admin = await administrator(server);
  for (const settings of Object.values(stand.settings)) await install('payment/save', settings);
  owner = await server.register();
  const password = { password: withdrawalPassword, confirm_password: withdrawalPassword };
  await server.call('/api/v3/security/withdrawal_password', password, owner);
});
afterAll(async () => {
  await server.stop();
  await stand.stop();
});

const install = <T = Record<string, never>>(path: string, input: object = {}, as: object = admin) =>
  server.call<T>(`/api/v3/install/${path}`, input, as);
const call = <T = object>(path: string, input: object = {}) => server.call<T>(`/api/v3/billing/${path}`, input, owner);

async function pay(provider: ProviderName, fen: number, payer: 'guest' | 'account' = 'account'): Promise<string> {
  const asked = { amount: (fen / 100).toFixed(2), method: provider, key: newId() };
  const { order_no } = (await call<{ order_no: string }>('recharge', asked)).data;
  if (payer === 'guest')
    await server.db.database.systemPool.query("update billing_order set payer = 'guest' where order_no = $1", [
      order_no,
    ]);
  const { body, headers } = world.paid(world.pay(provider, order_no, fen));
  const answer = await fetch(`${server.url}/pay/webhook/${provider}`, { method: 'POST', body, headers });
  expect(answer.status).toBe(200);
  return order_no;
}

interface Overview {
  providers: { provider: string; receivable: string; movements: number; oldest_at: string | null; transit: string }[];
  books: { kind: string; provider: string | null; amount: string }[];
}
const overview = async () => (await install<Overview>('clearing/overview')).data;
const ofProvider = async (name: string) => (await overview()).providers.find(({ provider }) => provider === name)!;
const fenOf = (text: string) => Math.round(Number(text) * 100);

const base64 = (text: string) => Buffer.from(text).toString('base64');
const statement = (provider: string, text: string) => ({ provider, file: base64(text) });
interface Batch {
  number: string;
  gross: string;
  fee: string;
  matched: number;
  unmatched: number;
  differs: number;
  repeated: number;
  booked: boolean;
}

const withFee = (line: string, fee: string) => line.replace('`0.00000', `\`${fee}`);

it('settles a day of WeChat Pay by its statement, to the fen, once', async () => {
  const first = await pay('wechat', 1000);
  const second = await pay('wechat', 2000);
  clock.advance(60_000);
  await call('order/refund', { order_no: second, amount: '5.00', reason: 'Test', key: newId() });
  const [elsewhere, other] = ['261127999999999998', '261127999999999999'];
  expect(await ofProvider('wechat')).toMatchObject({
    receivable: '25.00',
    movements: 3,
    oldest_at: '2026-11-27T01:30:00.000Z',
    transit: '0.00',
  });
  const bill = wechatBill(
    withFee(wechatLine(first, 'SUCCESS', '10.00'), '0.06'),
    withFee(wechatLine(second, 'SUCCESS', '19.00'), '0.12'),
    withFee(wechatLine(second, 'REFUND', '0.00', '5.00', 'SUCCESS'), '-0.03'),
    withFee(wechatLine(elsewhere, 'SUCCESS', '3.00'), '0.02'),
    withFee(wechatLine(other, 'REFUND', '0.00', '1.00', 'FAIL'), '0.00'),
  );
  const preview = await install<{ batches: Batch[]; lines: object[] }>(
    'clearing/statement/preview',
    statement('wechat', bill),
  );
  const batch = {
    number: '20261127',
    gross: '27.00',
    fee: '0.17',
    matched: 2,
    unmatched: 1,
    differs: 1,
    repeated: 0,
    booked: false,
  };
  expect(preview.data.batches).toMatchObject([batch]);
  expect(preview.data.lines).toMatchObject([
    { result: 'differs', order_no: second, amount: '19.00', ours: '20.00' },
    { result: 'unmatched', order_no: elsewhere, amount: '3.00', ours: null },
  ]);
  expect(await ofProvider('wechat')).toMatchObject({ receivable: '25.00' });

  const booked = await install<{ booked: number }>('clearing/statement/import', statement('wechat', bill));
  expect(booked.data).toMatchObject({ booked: 1 });
  const settled = {
    providers: expect.arrayContaining([
      expect.objectContaining({ provider: 'wechat', receivable: '0.00', oldest_at: null, transit: '26.83' }),
    ]),
    unassigned: '2.00',
    held: '24.83',
    owed: '25.00',
    surplus: '-0.17',
    covered: false,
  };
  expect(await overview()).toMatchObject(settled);

  const again = await install<{ booked: number; batches: Batch[] }>(
    'clearing/statement/import',
    statement('wechat', bill),
  );
  expect(again.data).toMatchObject({ booked: 0, batches: [{ booked: true, repeated: 3 }] });
  expect(await overview()).toMatchObject(settled);
  expect((await install<object>('clearing/line/list', {})).data).toMatchObject({ total: 2 });

  const arrival = { provider: 'wechat', payout: '20261127', day: '2026-11-28', reference: 'ICBC-1', amount: '26.83' };
  const { id } = (await install<{ id: string }>('clearing/arrival/create', arrival)).data;
  expect((await install<{ id: string }>('clearing/arrival/create', arrival)).data.id).toBe(id);
  expect((await install('clearing/arrival/create', { ...arrival, amount: '1.00' })).errors).toHaveProperty('reference');
  const own = { provider: null, day: '2026-11-28', reference: 'Own-1', amount: '0.17' };
  expect((await install('clearing/arrival/create', own)).code).toBe(2000);
  expect(await overview()).toMatchObject({ bank: '27.00', transit: '0.00', held: '25.00', covered: true });
  const { books } = await overview();
  expect(books.reduce((sum, { amount }) => sum + fenOf(amount), 0)).toBe(0);
  expect(books).toContainEqual({ kind: 'fee', provider: 'wechat', amount: '0.17' });
  const { rows } = await server.db.database.systemPool.query<{ fen: number }>(
    'select sum(fen)::bigint as fen from clearing_movement',
  );
  expect(fenOf(books.find(({ kind }) => kind === 'owed')!.amount)).toBe(-rows[0]!.fen);

  const { data } = await install<{ list: { id: string }[] }>('clearing/payout/list', {});
  expect(data.list).toMatchObject([{ number: '20261127', net: '26.83', unassigned: '2.00', arrived: '26.83' }]);
  const payout = { id: data.list[0]!.id };
  expect((await install('clearing/payout/reverse', payout)).code).toBe(4104);
  expect((await install('clearing/arrival/reverse', { id })).code).toBe(2000);
  expect((await install('clearing/payout/reverse', payout)).code).toBe(2000);
  expect(await ofProvider('wechat')).toMatchObject({ receivable: '25.00', transit: '0.00' });
  expect((await install('clearing/statement/import', statement('wechat', bill))).data).toMatchObject({ booked: 1 });
});

it('refuses a statement without fees, or with unreadable amounts, beside the file', async () => {
  const import_ = (provider: string, text: string) => install('clearing/statement/import', statement(provider, text));
  const noFee = wechatBill(wechatLine('261127000000000001', 'SUCCESS', '10.00')).replace('手续费', '其他');
  expect((await import_('wechat', noFee)).errors).toEqual({ file: [expect.stringContaining('no fees')] });
  const unreadable = wechatBill(wechatLine('261127000000000001', 'SUCCESS', 'ten'));
  expect((await import_('wechat', unreadable)).errors).toEqual({ file: [expect.stringContaining('Line 2')] });
  expect((await import_('stripe', 'a,b\n1,2\n')).errors).toEqual({ file: [expect.stringContaining('no column')] });
});

it('settles payouts of Stripe, with a dispute and fees of their own, and leaves open what is not paid out', async () => {
  const [one, two, three] = [await pay('stripe', 5000), await pay('stripe', 700), await pay('stripe', 900)];
  const dispute = world.refundElsewhere(world.payments.get(two)!, 'dp_1', 700, 'dispute');
  const { body, headers } = world.refunded(dispute);
  await fetch(`${server.url}/pay/webhook/stripe`, { method: 'POST', body, headers });
  expect(await ofProvider('stripe')).toMatchObject({ receivable: '59.00', movements: 4 });
  const rows = [
    ['txn_1', 'charge', '50.00', '1.75', 'po_1', one],
    ['txn_2', 'charge', '7.00', '0.50', 'po_1', two],
    ['txn_3', 'dispute', '-7.00', '15.00', 'po_2', two],
    ['txn_4', 'stripe_fee', '-2.00', '0.00', 'po_2', ''],
    ['txn_5', 'payout', '-55.25', '0.00', 'po_1', ''],
    ['txn_6', 'charge', '9.00', '0.60', '', three],
  ].map(([id, category, gross, fee, payout, no]) =>
    [id, category, 'cny', gross, fee, payout, payout && '2026-11-28 00:00:00', no].join(','),
  );
  const header =
    'balance_transaction_id,reporting_category,currency,gross,fee,automatic_payout_id,automatic_payout_effective_at,payment_metadata[order_no]';
  const file = statement('stripe', [header, ...rows].join('\n'));
  const { data } = await install<{ batches: Batch[]; pending: number }>('clearing/statement/preview', file);
  expect(data).toMatchObject({
    pending: 1,
    batches: [
      { number: 'po_1', gross: '57.00', fee: '2.25', matched: 2 },
      { number: 'po_2', gross: '-7.00', fee: '17.00', matched: 1, unmatched: 0 },
    ],
  });
  expect((await install('clearing/statement/import', file)).data).toMatchObject({ booked: 2 });
  expect(await ofProvider('stripe')).toMatchObject({ receivable: '9.00', movements: 1, transit: '30.75' });
  world.decide(dispute, 'failed');
  const won = world.refunded(dispute);
  await fetch(`${server.url}/pay/webhook/stripe`, { method: 'POST', ...won });
  expect(await ofProvider('stripe')).toMatchObject({ receivable: '16.00', movements: 2 });
});

it('withdraws what guests paid only after its batch is booked, if the rule says so', async () => {
  await pay('alipay', 3000, 'guest');
  const terms = async () => (await call<object>('withdrawal/terms')).data;
  const ask = (amount: string) => call<{ id: string }>('withdrawal/request', requestOf(amount));
  expect(await terms()).toMatchObject({ clearing: 'off', balance: '30.00', unsettled: '0.00' });
  expect((await ask('1.00')).code).toBe(2000);
  expect((await install('withdrawal/rule/save', { clearing: 'settled' })).code).toBe(2000);
  expect(await terms()).toMatchObject({
    clearing: 'settled',
    balance: '29.00',
    unsettled: '30.00',
    unsettled_until: '2026-11-27T01:31:00.000Z',
  });
  expect((await ask('20.00')).errors).toEqual({ amount: [expect.stringContaining('CNY 30.00 has not been settled')] });

  const batch = {
    provider: 'alipay',
    number: 'A-1',
    day: '2026-11-28',
    gross: '31.00',
    fee: '0.18',
    first_day: '2026-11-27',
    last_day: '2026-11-27',
  };
  expect((await install('clearing/payout/create', batch)).errors).toEqual({
    gross: [expect.stringContaining('add up to CNY 30.00')],
  });
  const entered = await install<{ id: string; movements: number }>('clearing/payout/create', {
    ...batch,
    gross: '30.00',
  });
  expect(entered.data).toMatchObject({ movements: 1 });
  expect((await install('clearing/payout/create', { ...batch, gross: '30.00' })).data).toEqual(entered.data);
  expect(await terms()).toMatchObject({ balance: '29.00', unsettled: '0.00', unsettled_until: null });
  const { bank } = (await overview()) as never as { bank: string };
  const { id } = (await ask('20.00')).data;
  await install('withdrawal/approve', { id });
  expect((await install('withdrawal/pay', { id, receipt: 'T1' })).code).toBe(2000);
  expect(fenOf(((await overview()) as never as { bank: string }).bank)).toBe(fenOf(bank) - 2000);
});

it('books a confirmed transfer at the bank, and leaves out play money', async () => {
  const before = await overview();
  await nameBank(server);
  const asked = { amount: '15', method: 'manual', key: newId() };
  const { order_no } = (await call<{ order_no: string }>('recharge', asked)).data;
  expect((await install('transfer/confirm', { order_no, receipt: 'TR-1' })).code).toBe(2000);
  expect((await install('payment/save', { provider: 'sandbox', enabled: true })).code).toBe(2000);
  const play = await call<{ order_no: string; pay_url: string }>('recharge', {
    ...asked,
    method: 'sandbox',
    key: newId(),
  });
  await payInSandbox(server, play.data.pay_url);
  expect((await call<object>('order/get', { order_no: play.data.order_no })).data).toMatchObject({
    state: 'completed',
  });
  const { data } = await install<{ list: object[] }>('clearing/movement/list', { keyword: order_no });
  expect(data.list).toMatchObject([{ provider: 'bank', kind: 'payment', amount: '15.00', payout: null }]);
  const found = await install<object>('clearing/movement/list', { keyword: play.data.order_no });
  expect(found.data).toMatchObject({ total: 0 });
  expect((await overview()).providers).toEqual(before.providers);
});

it('sends administrators one message while less is held than is owed', async () => {
  const run = () => server.db.database.withSystem((tx) => enqueue(tx, 'billing-clearing', {}));
  const messages = async () =>
    (await server.call<{ list: { template: string }[] }>('/api/v3/message/list', { type: 'billing' }, admin)).data.list;
  const short = async () => (await messages()).filter(({ template }) => template === 'clearingShort').length;
  expect(await overview()).toMatchObject({ covered: false });
  await run();
  await expect.poll(short).toBe(1);
  const noticed = async () =>
    (await server.db.database.systemPool.query("select value from installation where key = 'clearing_short'")).rows;
  const own = { provider: null, day: '2026-11-29', reference: 'Own-2', amount: '1000' };
  await install('clearing/arrival/create', own);
  await run();
  await expect.poll(noticed).toEqual([{ value: false }]);
  await install('clearing/arrival/create', { ...own, reference: 'Own-3', amount: '-1000' });
  await run();
  await expect.poll(short).toBe(2);
});

it.each(['overview', 'payout/list', 'movement/list', 'arrival/list', 'line/list'])(
  'refuses %s to other roles',
  async (path) => {
    expect((await install(`clearing/${path}`, {}, owner)).code).toBe(4101);
  },
);
