import type { PortalMethod } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import {
  alertOf,
  type Client,
  contentWith,
  freeLimits,
  memoryTemplates,
  newClient,
  nextOf,
  openPage,
  sealedFas,
  submit,
} from '../../portal/testing/guest.ts';
import { portalNetwork } from '../../portal/testing/portal-network.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
const purchase: PortalMethod = { kind: 'purchase', ...freeLimits };
const terms = { minutes: 120, bytes: 0, devices: 1, up_kbps: 0, down_kbps: 8192, valid_days: 30, gwids: null };

let server: TestServer;
let owner: Registered;
let lobby: Awaited<ReturnType<typeof portalNetwork>>;
let sold: string;
beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
});
beforeEach(async () => {
  owner = await server.register();
  lobby = await portalNetwork(server, owner, templates, { gateway: 'opennds_3', content: contentWith([purchase]) });
  const input = { name: 'TwoHours', price: '10', ...terms, enabled: true };
  sold = (await call<{ id: string }>('package/create', input)).data.id;
});
afterAll(() => server.stop());

const call = <T>(path: string, input: object) => server.call<T>(`/api/v3/billing/${path}`, input, owner);
const make = (change: object = {}) =>
  call<{ id: string }>('coupon/create', {
    ...{ name: 'Autumn', code: 'AUTUMN', kind: 'amount', amount: '2.50', percent: 10, min_price: '0' },
    ...{ per_person: 0, max_uses: 0, gwids: null, valid_days: 30, ...change },
  });
const buy = async (coupon: string, client: Client = newClient()) => {
  const page = await openPage(`${lobby.base}/fas?${sealedFas(client, lobby.secret)}`);
  return submit(page, 'purchase', { package: sold, pay: 'sandbox', step: 'buy', coupon });
};
const amounts = async () =>
  (await call<{ list: { amount: string }[] }>('transaction/list', { limit: 50 })).data.list.map(({ amount }) => amount);

it('takes an amount or a share off the price, and books what was paid', async () => {
  await make();
  await make({ code: 'SHARE33', kind: 'share', percent: 33 });
  await make({ code: 'ALLOFIT', amount: '99' });
  for (const code of ['autumn ', 'SHARE33', 'ALLOFIT']) {
    const payment = await openPage(nextOf(await buy(code)));
    await openPage(payment.url, { method: 'POST', redirect: 'manual' });
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
  expect(alertOf(await buy('LARGE'))).toBe('This coupon counts from a price of 10.01 yuan.');
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

it('answers a taken code beside its field', async () => {
  await make();
  expect((await make()).code).toBe(4105);
  expect((await make({ code: 'lower' })).errors).toHaveProperty('code');
});
