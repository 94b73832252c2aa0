import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { seedPerson } from '../../../../test/seed-account.ts';
import { fapiaoSettings } from '../../../../test/seed-fapiao.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { systemClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/database/index.ts';
import { addMember } from '../../identity/rights.ts';
import { newClient, nextOf, openPage, plainFas, submit } from '../../portal/testing/guest.ts';
import { sellPackage, shopNetwork, shopTemplates } from '../../portal/testing/shop.ts';
import { createSandbox } from '../orders/sandbox.ts';
import { sandboxTitles } from './issuer.ts';

let server: TestServer;
let owner: Registered;
beforeAll(async () => {
  server = await startTestServer({ portalTemplates: shopTemplates });
});
beforeEach(async () => {
  owner = await server.register();
});
afterAll(() => server.stop());

interface Row {
  id: string;
  order_no: string;
  state: string;
  amount: string;
  tax: string;
  number: string | null;
  original: string | null;
  email: string;
  name: string;
}

const call = <T>(path: string, input: object = {}, as = owner) => server.call<T>(`/api/v3/billing/${path}`, input, as);
const save = (change: object = {}) => call('fapiao/settings/save', { ...fapiaoSettings, ...change });
const rows = async () => (await call<{ list: Row[] }>('fapiao/list')).data.list;
const refund = (order_no: string, amount: string) =>
  call('order/refund', { order_no, amount, reason: 'Complaint', used: true, key: newId() });

/** Buys access for 9.90 yuan. @returns the page after the payment, and that of its invoice */
async function buy(name = 'TwoHours') {
  const { base } = await shopNetwork(server, owner, 'opennds_1');
  const id = await sellPackage(server, owner, { name });
  const client = newClient();
  const page = await openPage(`${base}/fas?${plainFas(client)}`);
  const payment = await openPage(nextOf(await submit(page, 'purchase', { package: id, pay: 'sandbox', step: 'buy' })));
  const grant = new URL(nextOf(await openPage(payment.url, { method: 'POST' })));
  const online = await openPage(grant.searchParams.get('redir')!);
  const [, path] = /href="(\/pay\/invoice\/[^"]+)"/.exec(online.html) ?? [];
  return { online, client, url: path ? new URL(path.replaceAll('&amp;', '&'), base).href : '' };
}

const company = { kind: 'company', name: 'Tencent', tax_no: '9144030071526726xg', email: 'books@example.com' };

async function ask(url: string, form: object) {
  const body = new URLSearchParams(form as Record<string, string>);
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  return { status: answer.status, html: await answer.text() };
}
const errorsOn = (html: string) => [...html.matchAll(/id="(\w+)-error" role="alert"/g)].map(([, field]) => field);

it('is off at first, and saves only what an invoice needs', async () => {
  expect((await buy()).url).toBe('');
  expect((await call('fapiao/settings/get')).data).toMatchObject({ version: 0, enabled: false, issuer: 'manual' });
  const wrong = async (change: object) => Object.keys((await save(change)).errors ?? {});
  expect(await wrong({ seller_tax_no: '91350100M000100Y44' })).toEqual(['seller_tax_no']);
  expect(await wrong({ goods_code: '301' })).toEqual(['goods_code']);
  expect(await wrong({ goods_name: '' })).toEqual(['goods_name']);
  expect(await wrong({ rate: 5 })).toEqual(['rate']);
  expect((await save()).code).toBe(2000);
  expect((await save({ rate: 3 })).code).toBe(4104);
  expect((await save({ version: 1, rate: 3 })).code).toBe(2000);
});

it('is asked for by the guest once, with errors beside the fields, and issued by the shop', async () => {
  await save();
  const { online, url } = await buy();
  expect(online.html).toContain('Ask for an invoice (fapiao)');
  const form = await openPage(url);
  expect(form.html).toContain('Amount to be invoiced: CNY 9.90');
  expect((await openPage(url.replace('lang=en', 'lang=zh-CN'))).html).toContain('发票抬头');
  const wrong = await ask(url, { ...company, name: '', tax_no: '9144030071526726X1', email: 'books@' });
  expect([wrong.status, errorsOn(wrong.html)]).toEqual([422, ['name', 'tax_no', 'email']]);
  expect(errorsOn((await ask(url, { ...company, tax_no: '' })).html)).toEqual(['tax_no']);
  expect(await rows()).toEqual([]);

  const sent = await Promise.all([ask(url, company), ask(url, { ...company, name: 'Other' }), ask(url, company)]);
  expect(sent.map(({ status }) => status)).toEqual([303, 303, 303]);
  const [asked, ...more] = await rows();
  expect(more).toEqual([]);
  expect(asked).toMatchObject({ state: 'asked', amount: '9.90', tax: '0.56', tax_no: '9144030071526726XG' });
  expect((await openPage(url)).html).toContain('will be sent to b***@example.com');
  const { data: inbox } = await server.call<{ list: object[] }>('/api/v3/message/list', { type: 'billing' }, owner);
  expect(inbox.list).toMatchObject([{ template: 'fapiaoAsked', params: { amount: '9.90' } }]);

  const person = await seedPerson(server);
  const member = { role: 'auditor', role_id: null, gwids: null } as const;
  await server.db.database.withSystem((tx) => addMember(tx, owner.accountId, person, member, new Date()));
  const reader = { ...owner, token: person.token, account: owner.accountId };
  expect((await call<{ list: Row[] }>('fapiao/list', {}, reader)).data.list).toMatchObject([
    { email: 'b***@example.com' },
  ]);
  expect(asked).toMatchObject({ email: 'books@example.com' });

  const issue = { id: asked!.id, number: '26312000000012345678', issued_on: '2026-11-20' };
  expect((await call('fapiao/issue', { ...issue, issued_on: '2199-01-01' })).errors).toHaveProperty('issued_on');
  expect((await call('fapiao/issue', issue)).code).toBe(2000);
  expect((await call('fapiao/issue', issue)).code).toBe(4104);
  const shown = await openPage(url);
  for (const text of ['26312000000012345678', '9.34', '0.56 (6%)', '2026-11-20']) expect(shown.html).toContain(text);
  expect(shown.html).not.toContain('no real invoice');
  await expect.poll(() => server.outbox('books@example.com').at(-1)?.text).toContain('26312000000012345678');
  const { data: log } = await server.call<{ list: object[] }>('/api/v3/log/action/list', {}, owner);
  expect(JSON.stringify(log.list)).not.toContain('books@example.com');
});

it('shows strangers nothing', async () => {
  await save();
  const { url } = await buy();
  for (const wrong of [url.replace(/t=.{4}/, 't=0000'), url.replace(/\?.*/, '')]) {
    expect((await openPage(wrong)).status).toBe(404);
    expect((await ask(wrong, company)).status).toBe(404);
  }
  expect(await rows()).toEqual([]);
});

it('follows refunds: lowers a request, cancels it, and asks for red invoices whose taxes add up', async () => {
  await save({ rate: 13 });
  const { url } = await buy();
  await ask(url, company);
  const [{ id, order_no }] = (await rows()) as [Row];
  await refund(order_no, '1');
  expect(await rows()).toMatchObject([{ state: 'asked', amount: '8.90', tax: '1.02' }]);
  await call('fapiao/issue', { id, number: '261', issued_on: '2026-11-20' });
  await refund(order_no, '4.45');
  await refund(order_no, '4.45');
  const [second, first] = await rows();
  expect([first, second]).toMatchObject([
    { state: 'red_asked', amount: '-4.45', tax: '-0.51', original: '261' },
    { state: 'red_asked', amount: '-4.45', tax: '-0.51' },
  ]);
  expect((await call('fapiao/fail', { id: first!.id, reason: 'no' })).code).toBe(4104);
  expect((await call('fapiao/issue', { id: first!.id, number: '262', issued_on: '2026-11-21' })).code).toBe(2000);
  expect((await openPage(url)).html).toMatch(/Red invoice requested[\s\S]*Red invoice[\s\S]*262/);
  expect((await ask(url, company)).status).toBe(303);
  expect(await rows()).toHaveLength(3);

  const other = await buy('Day');
  await ask(other.url, company);
  await refund((await rows())[0]!.order_no, '9.90');
  expect((await rows())[0]).toMatchObject({ state: 'cancelled', amount: '0.00' });
  expect((await openPage(other.url)).html).toContain('Cancelled');
});

it('takes a red request back when the refund fails', async () => {
  await save();
  const { url } = await buy();
  await ask(url, company);
  const [{ id, order_no }] = (await rows()) as [Row];
  await call('fapiao/issue', { id, number: '261', issued_on: '2026-11-20' });
  await refund(order_no, '9.90');
  expect((await rows())[0]).toMatchObject({ state: 'red_asked' });
  const { masterKey, database } = server.db;
  const sandbox = createSandbox({
    database,
    masterKey,
    clock: systemClock,
    enabled: async () => true,
    currency: 'CNY',
  });
  const event = { type: 'refunded', orderNo: order_no, refundNo: `${order_no}-r0`, fen: 990 } as const;
  const { headers, body } = sandbox.sign({ ...event, id: newId(), state: 'failed', reason: 'CLOSED' });
  expect((await fetch(`${server.url}/pay/webhook/sandbox`, { method: 'POST', headers, body })).status).toBe(200);
  expect((await rows()).map(({ state }) => state)).toEqual(['cancelled', 'issued']);
  await refund(order_no, '9.90');
  expect((await rows())[0]).toMatchObject({ state: 'red_asked', original: '261' });
});

it('is issued by the sandbox, marked as not real, again after a failure and a wait', async () => {
  await save({ issuer: 'sandbox' });
  const { url } = await buy();
  await ask(url, { ...company, name: sandboxTitles.fails });
  await expect.poll(async () => (await rows())[0]).toMatchObject({ state: 'failed', reason: sandboxTitles.fails });
  const again = await openPage(url);
  expect(again.html).toContain(`The invoice was not issued: ${sandboxTitles.fails}`);
  await ask(url, company);
  await expect.poll(async () => (await rows())[0]).toMatchObject({ state: 'issued' });
  const [{ number, order_no }] = (await rows()) as [Row];
  expect(number).toMatch(/^SANDBOX-\d{12}$/);
  expect((await openPage(url)).html).toContain('no real invoice was issued');
  await refund(order_no, '9.90');
  await expect.poll(async () => (await rows())[0]).toMatchObject({ state: 'red', amount: '-9.90', original: number });

  const later = await buy('Day');
  await ask(later.url, { ...company, name: sandboxTitles.waits });
  const { systemPool } = server.db.database;
  const due = () =>
    systemPool.query(
      `update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
       where t.id = j.task_id and t.identifier = 'fapiao-issue' and j.run_at > now() returning j.id`,
    );
  await expect.poll(async () => (await rows())[0]).toMatchObject({ state: 'asked', sent: true });
  const [waiting] = (await rows()) as [Row];
  expect((await call('fapiao/issue', { id: waiting.id, number: '1', issued_on: '2026-11-20' })).code).toBe(4104);
  await refund(waiting.order_no, '4');
  await expect.poll(async () => (await due()).rowCount).toBe(1);
  await expect.poll(async () => (await rows())[0]).toMatchObject({ state: 'red', amount: '-4.00', tax: '-0.23' });
  expect((await rows())[1]).toMatchObject({ state: 'issued', amount: '9.90', name: sandboxTitles.waits });
});

it('exports and erases what it keeps of a guest', async () => {
  await save();
  const { client, url } = await buy();
  await ask(url, { ...company, kind: 'person', name: 'Jane Roe' });
  const of = async (act: 'export' | 'erase') => {
    const guest = { kind: 'mac', value: client.mac };
    return (await server.call<{ invoices: unknown }>(`/api/v3/portal/person/${act}`, guest, owner)).data.invoices;
  };
  expect(await of('export')).toMatchObject([{ name: 'Jane Roe', email: 'books@example.com', state: 'asked' }]);
  const { systemPool } = server.db.database;
  await systemPool.query("update portal_session set state = 'ended', ended_at = now()");
  const [{ id }] = (await rows()) as [Row];
  await call('fapiao/issue', { id, number: '261', issued_on: '2026-11-20' });
  expect(await of('erase')).toBe(1);
  expect(await rows()).toMatchObject([{ state: 'issued', number: '261', name: '', email: '', amount: '9.90' }]);
});
