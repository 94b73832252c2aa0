import { afterAll, beforeAll, expect, it } from 'vitest';
import { payInSandbox } from '../../../test/seed-orders.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { newId } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import {
  alertOf,
  contentWith,
  freeLimits,
  memoryTemplates,
  newClient,
  openPage,
  sealedFas,
  submit,
} from '../portal/testing/guest.ts';
import { portalNetwork } from '../portal/testing/portal-network.ts';
import { settleTask } from './settle.ts';

const templates = memoryTemplates();
let server: TestServer;
beforeAll(async () => {
  // nothing listens there: sending fails later
  server = await startTestServer({ portalTemplates: templates, providerEndpoints: { aliyun: 'http://127.0.0.1:9' } });
});
afterAll(() => server.stop());

const call = <T = Record<string, never>>(path: string, input: object, as: object) =>
  server.call<T>(`/api/v3/${path}`, input, as);
const query = (text: string, values: unknown[]) => server.db.database.systemPool.query(text, values);

interface Sms {
  result: string;
  phone_masked: string;
  fee_fen: number;
  reason: string | null;
}
const balance = async (owner: Registered) =>
  (
    await call<{ sold: boolean; provider: boolean; left: number | null; sent_today: number; packs: unknown[] }>(
      'sms/balance',
      {},
      owner,
    )
  ).data;
const settle = () => server.db.database.withSystem((tx) => enqueue(tx, settleTask, {}));
const sent = async (owner: Registered, gwid: string) =>
  (await call<{ list: Sms[]; total: number }>('sms/log/list', { gwid }, owner)).data;

async function confirmAdministrator(person: Registered): Promise<void> {
  await query('update person set administers = true where id = $1', [person.userId]);
  await call('security/confirm', { password: person.password }, person);
}

async function provide(isThere: boolean, admin: Registered): Promise<void> {
  const fields = { key_id: 'LTAI5tExample', sender: '云巡', app_id: '', region: '', templates: {} };
  const provider = isThere
    ? { provider: 'aliyun', ...fields, secret: 'the secret' }
    : { ...fields, provider: 'outbox' };
  expect((await call('install/sms/save', provider, admin)).code).toBe(2000);
}

/** Where accounts pay, there is a provider. */
async function sell(sold: boolean): Promise<void> {
  const admin = await server.register();
  await confirmAdministrator(admin);
  await provide(sold, admin);
  expect((await call('sms/sale/save', { sold }, admin)).code).toBe(2000);
}

async function buy(owner: Registered, count: number): Promise<string> {
  const input = { count, method: 'sandbox', key: newId() };
  const { data } = await call<{ order_no: string; pay_url: string }>('sms/order/create', input, owner);
  expect(await payInSandbox(server, data.pay_url)).toBe(303);
  return data.order_no;
}

async function buyAndLeave(owner: Registered, left: number): Promise<void> {
  const order_no = await buy(owner, 100);
  const amount = ((100 - left) / 10).toFixed(2);
  await confirmAdministrator(owner);
  expect((await call('billing/order/refund', { order_no, amount, reason: 'test', key: newId() }, owner)).code).toBe(
    2000,
  );
}

async function portalOf(owner: Registered) {
  const content = contentWith([{ kind: 'sms', ...freeLimits }]);
  const { base, secret, gwid } = await portalNetwork(server, owner, templates, { gateway: 'opennds_3', content });
  const ask = async (phone: string) => {
    const page = await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
    return submit(page, 'sms', { phone, step: 'send' });
  };
  return { gwid, ask };
}

it('sends without a balance, records it, and sells nothing, where the installation does not charge', async () => {
  await sell(false);
  const admin = await server.register();
  await confirmAdministrator(admin);
  await provide(true, admin);
  const owner = await server.register();
  const { gwid, ask } = await portalOf(owner);
  expect((await ask('13900001111')).html).toContain('The code has been sent.');
  expect(await balance(owner)).toMatchObject({ sold: false, provider: true, left: null, sent_today: 1, packs: [] });
  expect((await sent(owner, gwid)).list).toMatchObject([
    { phone_masked: '139****1111', purpose: 'login', template: 'portalCode', result: 'queued', fee_fen: 0 },
  ]);
  const order = await call('sms/order/create', { count: 100, method: 'balance', key: newId() }, owner);
  expect(order.errors).toHaveProperty('count');
});

it('leaves messages in the outbox without a provider, for nothing, even where accounts pay', async () => {
  await sell(true);
  const owner = await server.register();
  const { gwid, ask } = await portalOf(owner);
  await buyAndLeave(owner, 2);
  const admin = await server.register();
  await confirmAdministrator(admin);
  await provide(false, admin);
  expect((await ask('13900001221')).html).toContain('the code has not reached your phone');
  const inOutbox = { result: 'outbox', fee_fen: 0, reason: null };
  expect((await sent(owner, gwid)).list).toMatchObject([inOutbox]);
  expect(await balance(owner)).toMatchObject({ sold: true, provider: false, left: 2, sent_today: 0 });
  const open = async () => {
    await settle();
    const unsettled = 'select id from sms_message where account_id = $1 and settled_at is null';
    return (await query(unsettled, [owner.accountId])).rowCount;
  };
  await expect.poll(open).toBe(0);
  expect((await sent(owner, gwid)).list).toMatchObject([inOutbox]);
});

it('gives the fee back when the provider is gone before the message is sent', async () => {
  await sell(true);
  const owner = await server.register();
  const { gwid, ask } = await portalOf(owner);
  await buyAndLeave(owner, 1);
  await ask('13900001331');
  expect(await balance(owner)).toMatchObject({ left: 0, sent_today: 1 });
  await query(
    `update outbox_message set sent_at = now(), error = 'to_file' where id =
      (select outbox_id from sms_message where account_id = $1)`,
    [owner.accountId],
  );
  await settle();
  await expect
    .poll(async () => (await sent(owner, gwid)).list)
    .toMatchObject([{ result: 'outbox', fee_fen: 0, reason: null }]);
  expect((await balance(owner)).left).toBe(1);
});

it('finds a message by its whole number only, or by digits that are shown', async () => {
  await sell(false);
  const owner = await server.register();
  const { gwid, ask } = await portalOf(owner);
  await ask('13900005551');
  await ask('13911115551');
  const found = async (keyword: string) =>
    (await call<{ list: Sms[] }>('sms/log/list', { gwid, keyword }, owner)).data.list.length;
  expect(await found('+86 139-0000-5551')).toBe(1);
  expect(await found('13922225551')).toBe(0);
  expect(await found('5551')).toBe(2);
  const kept = await query('select m::text from sms_message m where account_id = $1', [owner.accountId]);
  expect(JSON.stringify(kept.rows)).not.toContain('13900005551');
});

it('gives one of two guests the last message, and the other the error "no balance"', async () => {
  await sell(true);
  const owner = await server.register();
  const { gwid, ask } = await portalOf(owner);
  await buyAndLeave(owner, 1);
  expect((await balance(owner)).left).toBe(1);
  const phones = ['13900002221', '13900002222'];
  const alerts = (await Promise.all(phones.map(ask))).map(alertOf);
  expect(alerts.filter((alert) => alert === null)).toHaveLength(1);
  expect(alerts.find((alert) => alert !== null)).toBe(
    'The SMS balance of this network is used up. Ask its administrator.',
  );
  expect(await balance(owner)).toMatchObject({ sold: true, left: 0, sent_today: 1 });
  expect((await sent(owner, gwid)).list).toMatchObject([{ fee_fen: 10 }]);
  const codes = await query('select id from portal_sms where account_id = $1', [owner.accountId]);
  expect(codes.rowCount).toBe(1);
});

it('gives a failed message back once', async () => {
  await sell(true);
  const owner = await server.register();
  const { gwid, ask } = await portalOf(owner);
  await buyAndLeave(owner, 2);
  await ask('13900003331');
  await ask('13900003332');
  // the outbox reports: one went out, one was refused
  await query(
    `update outbox_message set sent_at = now() where id =
      (select outbox_id from sms_message where account_id = $1 and phone_masked = '139****3331')`,
    [owner.accountId],
  );
  await query(
    `update outbox_message set sent_at = null, failed_at = now(), error = 'no_answer' where id =
      (select outbox_id from sms_message where account_id = $1 and phone_masked = '139****3332')`,
    [owner.accountId],
  );
  await settle();
  await expect.poll(async () => (await sent(owner, gwid)).list.map((row) => row.result)).toEqual(['failed', 'sent']);
  const { list } = await sent(owner, gwid);
  expect(list).toMatchObject([{ fee_fen: 0 }, { fee_fen: 10, reason: null }]);
  expect(list[0]!.reason).not.toBeNull();
  expect((await balance(owner)).left).toBe(1);
});

it('refunds what is unused of a pack, and no more', async () => {
  await sell(true);
  const owner = await server.register();
  const { ask } = await portalOf(owner);
  const order_no = await buy(owner, 100);
  await ask('13900004441');
  await confirmAdministrator(owner);
  const refund = (amount: string) =>
    call('billing/order/refund', { order_no, amount, reason: 'unused', key: newId() }, owner);
  expect((await refund('10.00')).code).toBe(4107);
  expect((await refund('9.90')).code).toBe(2000);
  expect((await balance(owner)).left).toBe(0);
});

it('pays a pack from the balance, and answers 4107 if that is too low', async () => {
  await sell(true);
  const owner = await server.register();
  const order = (count: number) => call('sms/order/create', { count, method: 'balance', key: newId() }, owner);
  expect((await order(100)).code).toBe(4107);
  expect((await order(7)).errors).toHaveProperty('count');
  const input = { amount: '10', method: 'sandbox', key: newId() };
  const { data } = await call<{ pay_url: string }>('billing/recharge', input, owner);
  await payInSandbox(server, data.pay_url);
  expect((await order(100)).data).toMatchObject({ status: 'completed' });
  expect((await call('sms/order/list', { status: 'completed' }, owner)).data).toMatchObject({
    list: [{ count: 100, amount_fen: 1000, method: 'balance', status: 'completed' }],
    total: 1,
  });
});

it('warns once when no more messages are left than the account chose', async () => {
  await sell(true);
  const owner = await server.register();
  const { ask } = await portalOf(owner);
  await buyAndLeave(owner, 3);
  expect((await call('sms/limit/save', { low_balance: 2 }, owner)).code).toBe(2000);
  for (const phone of ['13900005551', '13900005552']) await ask(phone);
  const { data } = await call<{ list: { template: string; params: object }[] }>('message/list', {}, owner);
  expect(data.list.filter(({ template }) => template === 'smsLow')).toMatchObject([{ params: { left: 2 } }]);
});
