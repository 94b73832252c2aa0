import type { DataOf, messages, sdwanOrders } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { nameBank, payInSandbox } from '../../../test/seed-orders.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { newId } from '../../platform/database/index.ts';

type Paid = DataOf<typeof sdwanOrders.orderPay>;

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  await nameBank(server);
  const offered = { id: 'big', name: 'Big', nodes: 100, widthband: 100, foreign_widthband: 0, months: 12 };
  await pool().query("insert into installation (key, value) values ('sdwan_packages', $1)", [
    JSON.stringify([{ ...offered, price_fen: 6000 }]),
  ]);
});
beforeEach(async () => {
  owner = await server.register();
});
afterAll(() => server.stop());

const pool = () => server.db.database.systemPool;
const call = <T>(path: string, input: object = {}) => server.call<T>(`/api/v3/${path}`, input, owner);
const pay = (order_no: string, method: string) => call<Paid>('sdwan/order/pay', { order_no, method });
const balance = async () => (await call<{ balance: string }>('billing/balance')).data.balance;
const order = async (kind = 'package') => {
  const { data } = await call<Paid>('sdwan/order/create', { kind, package_id: 'big' });
  return data.order_no;
};
const status = async (order_no: string) => (await call<Paid>('sdwan/order/detail', { order_no })).data.status;
const administer = (is: boolean) =>
  pool().query('update person set administers = $2 where id = $1', [owner.userId, is]);

async function billingOrder(): Promise<string> {
  const { rows } = await pool().query<{ order_no: string }>(
    "select order_no from billing_order where account_id = $1 and kind = 'sdwan_package' order by created_at, order_no",
    [owner.accountId],
  );
  return rows[0]!.order_no;
}

it('completes an order that is paid at a provider', async () => {
  const no = await order();
  expect((await pay(no, 'unknown')).errors).toHaveProperty('method');
  const { data } = await pay(no, 'sandbox');
  expect(data.status).toBe('incomplete');
  await payInSandbox(server, data.pay_url!);
  expect(await status(no)).toBe('completed');
  expect((await pay(no, 'sandbox')).data.pay_url).toBeNull();
});

it('puts the payment of a cancelled order into the balance', async () => {
  const no = await order();
  const { data } = await pay(no, 'sandbox');
  expect((await call('sdwan/order/cancel', { order_no: no })).code).toBe(2000);
  await payInSandbox(server, data.pay_url!);
  expect(await balance()).toBe('60.00');
});

it('lets only an administrator of the installation confirm a transfer or refund a package', async () => {
  const no = await order();
  expect((await pay(no, 'manual')).data).toMatchObject({ status: 'incomplete', pay_url: null });
  const order_no = await billingOrder();
  const refund = () => call('billing/order/refund', { order_no, amount: '60', reason: 'unused', key: newId() });
  await administer(false);
  expect((await call('billing/order/settle', { order_no })).code).toBe(4101);
  await administer(true);
  expect((await call('billing/order/settle', { order_no })).code).toBe(2000);
  expect(await status(no)).toBe('completed');
  await administer(false);
  expect((await refund()).code).toBe(4101);
  await administer(true);
  expect((await refund()).code).toBe(2000);
  expect((await call<{ opened: boolean }>('sdwan/status')).data.opened).toBe(false);
});

it('warns 30, 7 and 1 days before the end and at the end, once each', async () => {
  const no = await order();
  await payInSandbox(server, (await pay(no, 'sandbox')).data.pay_url!);
  const received = async () => {
    const { data } = await call<DataOf<typeof messages.list>>('message/list', { type: 'billing', limit: 50 });
    return data.list.map(({ template, params }) => [template, params.days]);
  };
  const at = async (days: number) => {
    await pool().query(
      "update sdwan_order set valid_from = now() - interval '300 days', valid_until = now() + $2 * interval '1 day' where order_no = $1",
      [no, days],
    );
    const { rows } = await pool().query<{ id: string }>("select id from graphile_worker.add_job('sdwan-expiry')");
    await expect
      .poll(
        async () => (await pool().query('select 1 from graphile_worker.jobs where id = $1', [rows[0]!.id])).rowCount,
      )
      .toBe(0);
    return received();
  };
  expect(await at(31)).toEqual([]);
  expect(await at(30)).toEqual([['sdwanExpires', 30]]);
  expect(await at(29)).toHaveLength(1);
  expect(await at(7)).toHaveLength(2);
  expect((await at(0.5)).toSorted()).toEqual([
    ['sdwanExpires', 1],
    ['sdwanExpires', 30],
    ['sdwanExpires', 7],
  ]);
  expect(await at(0)).toContainEqual(['sdwanExpired', 7]);
  expect(await at(-1)).toHaveLength(4);
});
