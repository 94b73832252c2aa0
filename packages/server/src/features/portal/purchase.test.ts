import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { seedPerson, signInAgain } from '../../../test/seed-account.ts';
import { setTwoPersons } from '../../../test/seed-withdrawals.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { newId } from '../../platform/database/index.ts';
import { addMember } from '../identity/rights.ts';
import {
  alertOf,
  type Client,
  grantOpen,
  newClient,
  nextOf,
  openPage,
  type Page,
  plainFas,
  sealedFas,
  submit,
} from './testing/guest.ts';
import type { PortalNetwork } from './testing/portal-network.ts';
import { sellPackage, shopNetwork, shopTemplates } from './testing/shop.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));

let server: TestServer;
let owner: Registered;
let lobby: PortalNetwork;
beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: shopTemplates });
});
beforeEach(async () => {
  owner = await server.register();
  lobby = await shopNetwork(server, owner);
});
afterAll(() => server.stop());

const call = <T>(path: string, input: object) => server.call<T>(`/api/v3/${path}`, input, owner);
const arrive = (client: Client) => openPage(`${lobby.base}/fas?${sealedFas(client, lobby.secret)}`);

const sell = (change: object = {}) => sellPackage(server, owner, change);

const ask = (page: Page, id: string, pay = 'sandbox') => submit(page, 'purchase', { package: id, pay, step: 'buy' });
const order = async (page: Page, id: string) => openPage(nextOf(await ask(page, id)));
const pay = (page: Page) => openPage(page.url, { method: 'POST' });

it('brings a guest online with the package that was paid in the sandbox, and books it for the network', async () => {
  const id = await sell({ bytes: 2 ** 30 });
  const { base, gwid } = await shopNetwork(server, owner, 'opennds_1');
  const page = await openPage(`${base}/fas?${plainFas(newClient())}`);
  expect(page.html).toContain('<b>TwoHours</b> <b class="price">¥9.90</b>');
  expect(page.html).toContain('2 h · 1 GB · up to 8.2 Mbps · 1 device');
  const payment = await order(page, id);
  expect(new URL(payment.url).origin).toBe(new URL(base).origin);
  expect(payment.html).toContain('no real money moves');
  // its styles are attributes
  expect(payment.headers.get('content-security-policy')).toContain("style-src-attr 'unsafe-inline'");
  const grant = new URL(nextOf(await pay(payment)));
  const online = await openPage(grant.searchParams.get('redir')!);
  expect(online.html).toContain('Time left: 2 h');
  // this gateway neither reports traffic nor takes orders
  expect(online.html).not.toMatch(/Data left|Sign out/);
  const { data: sessions } = await call<{ list: object[] }>('portal/session/list', { gwid });
  expect(sessions.list).toMatchObject([{ method: 'purchase', identity: 'TwoHours' }]);
  const { rows } = await server.db.database.systemPool.query(
    "select gwid, fen::int from ledger_entry where account_id = $1 and ledger = 'income'",
    [owner.accountId],
  );
  expect(rows).toEqual([{ gwid, fen: -990 }]);
  expect((await call('billing/package/list', {})).data).toMatchObject({ list: [{ sold: 1 }] });
  const { data: listed } = await call<{ list: object[] }>('billing/transaction/list', { type: 'income' });
  const device = expect.stringMatching(/^[0-9a-f]{8}$/);
  expect(listed.list).toMatchObject([{ goods: 'TwoHours', payer: 'guest', method: 'sandbox', device }]);
});

it('orders once per page, and grants no access before the payment', async () => {
  const id = await sell();
  const page = await arrive(newClient());
  const [payment, again] = [await order(page, id), await order(page, id)];
  expect(again.url).toBe(payment.url);
  const { rows } = await server.db.database.systemPool.query<{ return_url: string }>(
    'select return_url from billing_order where account_id = $1',
    [owner.accountId],
  );
  expect(rows).toHaveLength(1);
  const waiting = await openPage(rows[0]!.return_url);
  expect(waiting.html).toContain('Waiting for the payment');
  await pay(payment);
  expect(nextOf(await openPage(rows[0]!.return_url))).toContain('/wait?s=');
});

it('brings the device online that bought, in whatever browser comes back, and shows strangers nothing', async () => {
  const client = newClient();
  const id = await sell();
  const payment = await order(await arrive(client), id);
  const { rows } = await server.db.database.systemPool.query<{ return_url: string; order_no: string }>(
    'select return_url, order_no from billing_order where account_id = $1',
    [owner.accountId],
  );
  const { return_url: back, order_no } = rows[0]!;
  const elsewhere = (url: string) => openPage(url, { headers: { 'accept-language': 'en', 'user-agent': 'Other' } });
  await openPage(payment.url, { method: 'POST', redirect: 'manual' });
  const connecting = await elsewhere(back);
  await grantOpen(lobby.base);
  const online = await elsewhere(nextOf(connecting));
  expect(online.html).toContain(`Order ${order_no}: TwoHours, ¥9.90`);
  expect(online.html).toContain('Time left: 2 h');
  const sessions = async () => (await call<{ list: object[] }>('portal/guest/list', { gwid: lobby.gwid })).data.list;
  expect(await sessions()).toMatchObject([{ mac: client.mac, method: 'purchase' }]);
  expect((await openPage(back)).html).toContain('Time left: 2 h');
  const history = await call<{ list: object[] }>('portal/session/list', { gwid: lobby.gwid });
  expect(history.data.list).toHaveLength(1);
  const expired = 'This page has expired.';
  const forged = back.replace(/s=(.)/, (_all, first: string) => `s=${first === 'A' ? 'B' : 'A'}`);
  expect(alertOf(await elsewhere(forged))).toBe(expired);
  const stranger = await elsewhere(`${new URL(back).origin}/pay/sandbox/${order_no}`);
  expect([stranger.status, stranger.html.includes('9.90')]).toEqual([404, false]);
  clock.advance(181 * 60_000);
  expect(alertOf(await elsewhere(back))).toBe(expired);
});

it('offers a device what it has bought when its browser did not come back, and not after a refund', async () => {
  const id = await sell();
  const client = newClient();
  const payment = await order(await arrive(client), id);
  await openPage(payment.url, { method: 'POST', redirect: 'manual' });
  const page = await arrive(client);
  expect(page.html).toContain('This device has bought “TwoHours”');
  expect((await arrive(newClient())).html).not.toContain('has bought');
  expect(nextOf(await submit(page, 'purchase', { step: 'resume' }))).toContain('/wait?s=');
  const { data } = await call<{ list: { order_no: string }[] }>('billing/transaction/list', {});
  const refund = { order_no: data.list[0]!.order_no, amount: '9.90', reason: 'Complaint', key: newId() };
  expect((await call('billing/order/refund', refund)).code).toBe(2000);
  expect((await arrive(client)).html).not.toContain('has bought');
  expect(alertOf(await submit(page, 'purchase', { step: 'resume' }))).toBe('This page has expired.');
});

it('refunds what was not used, and what was used only if asked', async () => {
  const id = await sell();
  const { base } = await shopNetwork(server, owner, 'opennds_1');
  const fas = `${base}/fas?${plainFas(newClient())}`;
  await pay(await order(await openPage(fas), id));
  clock.advance(60 * 60_000);
  const as = await signInAgain(server, { ...owner, personId: owner.userId }, clock.now());
  const { data } = await call<{ list: { order_no: string }[] }>('billing/transaction/list', {});
  const { order_no } = data.list[0]!;
  const refund = (amount: string, used?: boolean) =>
    server.call(
      '/api/v3/billing/order/refund',
      { order_no, amount, reason: 'Complaint', key: newId(), ...(used && { used }) },
      as,
    );
  const left = async () =>
    (await server.call<{ unused: string; state: string }>('/api/v3/billing/order/get', { order_no }, as)).data;
  expect(await left()).toMatchObject({ unused: '4.95' });
  expect(await refund('4.96')).toMatchObject({ status: 422, errors: { amount: [expect.stringContaining('4.95')] } });
  expect((await refund('4.95')).code).toBe(2000);
  expect((await openPage(fas)).html).not.toContain('has bought');
  expect(await left()).toMatchObject({ unused: '0.00', state: 'completed' });
  expect((await refund('4.95')).status).toBe(422);
  expect((await refund('4.96', true)).errors).toEqual({ amount: ['At most CNY 4.95 is left to refund'] });
  expect((await refund('4.95', true)).code).toBe(2000);
  expect(await left()).toMatchObject({ state: 'refunded' });
});

it('refunds what a second person confirms, although more was used since', async () => {
  await setTwoPersons(server, 100);
  const person = await seedPerson(server);
  await server.db.database.withSystem((tx) =>
    addMember(tx, owner.accountId, person, { role: 'admin', role_id: null, gwids: null }, clock.now()),
  );
  const id = await sell();
  const { base } = await shopNetwork(server, owner, 'opennds_1');
  const fas = `${base}/fas?${plainFas(newClient())}`;
  await pay(await order(await openPage(fas), id));
  const { data } = await call<{ list: { order_no: string }[] }>('billing/transaction/list', {});
  const { order_no } = data.list[0]!;
  clock.advance(30 * 60_000);
  const first = await signInAgain(server, { ...owner, personId: owner.userId }, clock.now());
  const refund = { order_no, amount: '7.42', reason: 'Complaint', key: newId() };
  const asked = await server.call('/api/v3/billing/order/refund', refund, first);
  clock.advance(30 * 60_000);
  const { token } = await signInAgain(server, person, clock.now());
  const second = { token, account: owner.accountId };
  const { data: waiting } = await server.call<{ list: { id: string }[] }>('/api/v3/billing/decision/list', {}, second);
  const confirm = { id: waiting.list[0]?.id };
  const confirmed = await server.call('/api/v3/billing/decision/confirm', confirm, second);
  await setTwoPersons(server, null);
  expect([asked.data, confirmed.code]).toEqual([{ waiting: true }, 2000]);
  const got = await server.call('/api/v3/billing/order/get', { order_no }, second);
  expect(got.data).toMatchObject({ refunded: '7.42', state: 'completed' });
  expect((await openPage(fas)).html).not.toContain('has bought');
});

it('offers a long package again when later, shorter ones have ended', async () => {
  const client = newClient();
  const buy = async (id: string) => {
    const page = await arrive(client);
    await openPage((await order(page, id)).url, { method: 'POST', redirect: 'manual' });
    clock.advance(1000);
  };
  await buy(await sell({ name: 'Month', minutes: 0 }));
  const short = await sell({ name: 'Day', minutes: 0, valid_days: 1 });
  for (let n = 0; n < 6; n += 1) await buy(short);
  clock.advance(86_400_000);
  expect((await arrive(client)).html).toContain('This device has bought “Month”');
});

it('sells only what is on sale in the network, by methods that are offered', async () => {
  const [off, free, elsewhere] = [
    await sell({ name: 'Off', enabled: false }),
    await sell({ name: 'Free', price: '0' }),
    await sell({
      name: 'Elsewhere',
      gwids: [(await call<{ gwid: string }>('network/create', { remark: 'Garden' })).data.gwid],
    }),
  ];
  const page = await arrive(newClient());
  expect(page.html).toContain('Nothing is on sale now.');
  const refused = 'This package is not on sale now.';
  for (const id of [off, free, elsewhere, 'no id']) expect(alertOf(await ask(page, id))).toBe(refused);
  const id = await sell();
  for (const method of ['manual', 'balance', 'paypal']) expect(alertOf(await ask(page, id, method))).toBe(refused);
});
