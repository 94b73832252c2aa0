import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/database/index.ts';
import {
  alertOf,
  type Client,
  newClient,
  nextOf,
  openPage,
  type Page,
  sealedFas,
  submit,
} from '../../portal/testing/guest.ts';
import type { PortalNetwork } from '../../portal/testing/portal-network.ts';
import { sellPackage, shopNetwork, shopTemplates } from '../../portal/testing/shop.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));

let server: TestServer;
let owner: Registered;
let lobby: PortalNetwork;
let sold: string;
beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: shopTemplates });
});
beforeEach(async () => {
  owner = await server.register();
  lobby = await shopNetwork(server, owner);
  sold = await sellPackage(server, owner, { price: '10' });
});
afterAll(() => server.stop());

const call = <T>(path: string, input: object) => server.call<T>(`/api/v3/billing/${path}`, input, owner);
const make = (change: object = {}) =>
  call<{ id: string }>('coupon/create', {
    name: 'Autumn',
    code: 'AUTUMN',
    kind: 'amount',
    amount: '2.50',
    percent: 10,
    min_price: '0',
    per_person: 0,
    max_uses: 0,
    gwids: null,
    valid_days: 30,
    ...change,
  });
const arrive = (client: Client = newClient()) => openPage(`${lobby.base}/fas?${sealedFas(client, lobby.secret)}`);
const buyOn = (page: Page, coupon: string) =>
  submit(page, 'purchase', { package: sold, pay: 'sandbox', step: 'buy', coupon });
const buy = async (coupon: string, client?: Client) => buyOn(await arrive(client), coupon);
const pay = async (page: Page) => openPage(nextOf(page), { method: 'POST', redirect: 'manual' });
const amounts = async () =>
  (await call<{ list: { amount: string }[] }>('transaction/list', { limit: 50 })).data.list.map(({ amount }) => amount);

it('takes an amount or a share off the price, and books what was paid', async () => {
  await make();
  await make({ code: 'SHARE33', kind: 'share', percent: 33 });
  await make({ code: 'ALLOFIT', amount: '99' });
  for (const code of ['autumn ', 'SHARE33', 'ALLOFIT']) {
    await pay(await buy(code));
    clock.advance(1000);
  }
  expect(await amounts()).toEqual(['0.01', '6.70', '7.50']);
  expect((await call('coupon/list', { sort: 'code', order: 'asc' })).data).toMatchObject({
    list: [
      { code: 'ALLOFIT', used: 1, taken_off: '9.99' },
      { code: 'AUTUMN', used: 1, taken_off: '2.50' },
      { code: 'SHARE33', used: 1, taken_off: '3.30' },
    ],
  });
});

it('names an unknown, foreign, ended, used and too large coupon', async () => {
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Garden' }, owner);
  const { id } = (await make({ code: 'OFFNOW' })).data;
  await call('coupon/switch', { id, enabled: false });
  await make({ code: 'GARDEN', gwids: [data.gwid] });
  await make({ code: 'LARGE', min_price: '10.01' });
  await make({ code: 'ONEDAY', valid_days: 1 });
  await make({ code: 'ONCE', per_person: 1 });
  for (const code of ['NOSUCH', 'OFFNOW', 'GARDEN'])
    expect(alertOf(await buy(code))).toBe('There is no such coupon here.');
  expect(alertOf(await buy('LARGE'))).toBe('This coupon counts from a price of CNY 10.01.');
  const client = newClient();
  expect(alertOf(await buy('ONCE', client))).toBeNull();
  clock.advance(60_000);
  expect(alertOf(await buy('ONCE', client))).toBe('You have used this coupon already.');
  expect(alertOf(await buy('ONCE'))).toBeNull();
  clock.advance(86_400_001);
  expect(alertOf(await buy('ONEDAY'))).toBe('This coupon has ended or is used up.');
});

it('holds its limit when many guests buy at once, and gives the use of an expired order back', async () => {
  await make({ code: 'TWICE', max_uses: 2 });
  const alerts = await Promise.all(Array.from({ length: 5 }, async () => alertOf(await buy('TWICE'))));
  expect(alerts.filter((alert) => alert === null)).toHaveLength(2);
  expect((await call('balance', {})).data).toMatchObject({ coupons: 0 });
  await server.db.database.systemPool.query("update billing_order set state = 'expired' where account_id = $1", [
    owner.accountId,
  ]);
  expect((await call('balance', {})).data).toMatchObject({ coupons: 1 });
  expect(alertOf(await buy('TWICE'))).toBeNull();
});

it('orders once when the same page is sent several times at once, however the code is typed', async () => {
  await make({ per_person: 1 });
  const page = await arrive();
  const sent = await Promise.all(['AUTUMN', 'autumn', ' Autumn'].map((code) => buyOn(page, code)));
  expect(new Set(sent.map(nextOf)).size).toBe(1);
  expect((await call('coupon/list', {})).data).toMatchObject({ list: [{ used: 1 }] });
});

it('refunds at most what was paid for an order that a coupon made cheaper', async () => {
  await make();
  await pay(await buy('AUTUMN'));
  const { data } = await call<{ list: { order_no: string }[] }>('transaction/list', {});
  const refund = (amount: string) =>
    call('order/refund', { order_no: data.list[0]!.order_no, amount, reason: 'no', key: newId() });
  expect((await refund('7.51')).errors).toHaveProperty('amount');
  expect((await refund('7.50')).code).toBe(2000);
  expect((await call('balance', {})).data).toMatchObject({ balance: '0.00' });
  expect((await call('coupon/list', {})).data).toMatchObject({ list: [{ used: 1, taken_off: '0.00' }] });
});

it('counts yuan only as taken off', async () => {
  await make();
  await pay(await buy('AUTUMN'));
  await server.db.database.systemPool.query("update billing_order set currency = 'XTS' where account_id = $1", [
    owner.accountId,
  ]);
  expect((await call('coupon/list', {})).data).toMatchObject({ list: [{ used: 1, taken_off: '0.00' }] });
});

it('answers a coupon that takes nothing off beside its amount', async () => {
  expect((await make({ amount: '0' })).errors).toHaveProperty('amount');
  expect((await make({ kind: 'share', amount: '0' })).code).toBe(2000);
});

it('changes a coupon but not what an order has used, and ends it for good', async () => {
  const { id } = (await make({ per_person: 1, max_uses: 1 })).data;
  await make({ code: 'OTHER' });
  const listed = async () =>
    (await call<{ list: Record<string, unknown>[] }>('coupon/list', {})).data.list.find((row) => row.id === id)!;
  const save = async (change: object) => {
    const {
      used: _used,
      taken_off: _off,
      created_at: _at,
      ended_at: _end,
      enabled: _on,
      until: _until,
      ...row
    } = await listed();
    return call('coupon/save', { ...row, ...change });
  };
  expect((await save({ code: 'OTHER' })).code).toBe(4105);
  expect((await save({ code: 'WINTER', amount: '3' })).code).toBe(2000);
  expect((await save({ version: 1 })).code).toBe(4104);
  expect(alertOf(await buy('WINTER'))).toBeNull();
  expect(alertOf(await buy('WINTER'))).toBe('This coupon has ended or is used up.');
  for (const change of [{ code: 'SPRING' }, { amount: '4' }, { kind: 'share' }])
    expect((await save(change)).errors).toHaveProperty(Object.keys(change)[0]!);
  expect((await save({ until: '2026-11-22' })).errors).toHaveProperty('until');
  expect((await save({ name: 'Winter', max_uses: 2, until: '2027-01-31' })).code).toBe(2000);
  expect(await listed()).toMatchObject({ name: 'Winter', max_uses: 2, until: '2027-01-31T16:00:00.000Z' });
  const open = await buy('WINTER');
  expect(alertOf(open)).toBeNull();
  expect((await call('coupon/end', { id })).code).toBe(2000);
  expect(alertOf(await buy('WINTER'))).toBe('This coupon has ended or is used up.');
  await pay(open);
  expect(await amounts()).toContain('7.00');
  expect((await call('coupon/end', { id })).code).toBe(4104);
  expect((await call('coupon/switch', { id, enabled: true })).code).toBe(4104);
  expect((await save({ name: 'Again' })).code).toBe(4104);
});

it('answers a taken code beside its field', async () => {
  await make();
  expect(await make()).toMatchObject({ code: 4105, message: 'This coupon code already exists' });
  expect((await make({ code: 'lower' })).errors).toHaveProperty('code');
});
