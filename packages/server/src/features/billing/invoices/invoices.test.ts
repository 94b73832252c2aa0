import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTitle, paidRecharge } from '../../../../test/seed-invoices.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { newId } from '../../../platform/database/index.ts';
import { administrator } from '../../installation/testing/administrator.ts';
import { pdfText } from '../../reports/testing/mail-parts.ts';

let server: TestServer;
let admin: Registered;
beforeAll(async () => {
  server = await startTestServer();
  admin = await administrator(server);
});
afterAll(() => server.stop());

interface Invoice {
  id: string;
  amount: string;
  state: string;
  original: string | null;
  number: string | null;
}
const call = <T = { id: string }>(act: string, input: object, as: As) =>
  server.call<T>(`/api/v3/billing/invoice/${act}`, input, as);
const install = <T = { list: Invoice[] }>(act: string, input: object, as: As = admin) =>
  server.call<T>(`/api/v3/install/invoice/${act}`, input, as);
const listOf = async (as: As) => (await call<{ list: Invoice[] }>('list', {}, as)).data.list;
const openOrders = async (as: As) =>
  (await call<{ list: { order_no: string; amount: string }[] }>('order/list', {}, as)).data.list;
const refund = (order_no: string, amount: string, as: As) =>
  server.call('/api/v3/billing/order/refund', { order_no, amount, reason: 'too much', key: newId() }, as);

async function customer() {
  const owner = await server.register();
  const orders = [await paidRecharge(server, owner, '30'), await paidRecharge(server, owner, '12.5')];
  return { owner, orders, title_id: await addTitle(server, owner) };
}

describe('a request', () => {
  it('takes payments that have no invoice yet, each once, however many ask at once', async () => {
    const { owner, orders, title_id } = await customer();
    expect((await openOrders(owner)).map(({ amount }) => amount)).toEqual(['12.50', '30.00']);
    const ask = () => call('request', { order_nos: orders, title_id }, owner);
    const codes = (await Promise.all([ask(), ask(), ask()])).map(({ code }) => code);
    expect(codes.toSorted()).toEqual([2000, 4104, 4104]);
    expect(await listOf(owner)).toMatchObject([
      {
        amount: '42.50',
        state: 'requested',
        title: { name: 'Lakeside Hotel', tax_no: '91310000MA1K35XX0X' },
        orders: orders.toSorted().map((order_no) => ({ order_no })),
      },
    ]);
    expect(await openOrders(owner)).toEqual([]);
  });

  it('can be taken back until it is decided', async () => {
    const { owner, orders, title_id } = await customer();
    const { data } = await call('request', { order_nos: orders, title_id }, owner);
    expect((await call('cancel', data, owner)).code).toBe(2000);
    expect((await call('cancel', data, owner)).code).toBe(4104);
    expect(await openOrders(owner)).toHaveLength(2);
  });

  it('refuses orders of others, unpaid ones, and a company without a tax number', async () => {
    const { owner, orders, title_id } = await customer();
    const other = await customer();
    expect((await call('request', { order_nos: other.orders, title_id }, owner)).code).toBe(4108);
    expect((await call('request', { order_nos: orders, title_id: other.title_id }, owner)).code).toBe(4113);
    const unpaid = { amount: '9', method: 'sandbox', key: title_id };
    const { data } = await server.call<{ order_no: string }>('/api/v3/billing/recharge', unpaid, owner);
    expect((await call('request', { order_nos: [data.order_no], title_id }, owner)).code).toBe(4104);
    const nameless = await call('title/save', { kind: 'company', name: 'Shop' }, owner);
    expect(Object.keys(nameless.errors ?? {})).toEqual(['tax_no']);
    expect((await call('title/save', { kind: 'person', name: '张三' }, owner)).code).toBe(2000);
  });

  it('shrinks with a refund, and is cancelled when nothing is left', async () => {
    const { owner, orders, title_id } = await customer();
    await call('request', { order_nos: orders, title_id }, owner);
    await refund(orders[0]!, '10', owner);
    expect(await listOf(owner)).toMatchObject([{ amount: '32.50', state: 'requested' }]);
    await refund(orders[0]!, '20', owner);
    await refund(orders[1]!, '12.5', owner);
    expect(await listOf(owner)).toMatchObject([{ amount: '0.00', state: 'cancelled' }]);
  });
});

describe('a decision', () => {
  it('records number and date once, notifies the requester, and asks for a red invoice after a later refund', async () => {
    const { owner, orders, title_id } = await customer();
    const { data } = await call('request', { order_nos: orders, title_id }, owner);
    const issue = (id: string, number: string) => install('issue', { id, number, issued_on: '2026-11-20' });
    expect((await install('issue', { id: data.id, number: '1', issued_on: '2026-11-20' }, owner)).code).toBe(4101);
    const never = await install('issue', { id: data.id, number: '1', issued_on: '2026-02-30' });
    expect([never.status, never.errors]).toEqual([422, { issued_on: [expect.stringContaining('YYYY-MM-DD')] }]);
    const later = await install('issue', { id: data.id, number: '1', issued_on: '2199-01-01' });
    expect(later.errors).toEqual({ issued_on: ['This day is in the future'] });
    expect((await issue(data.id, '2631200001')).code).toBe(2000);
    expect((await issue(data.id, '2631200002')).code).toBe(4104);
    expect(await listOf(owner)).toMatchObject([{ state: 'issued', number: '2631200001', issued_on: '2026-11-20' }]);
    const { data: inbox } = await server.call<{ list: object[] }>('/api/v3/message/list', { type: 'billing' }, owner);
    expect(inbox.list).toMatchObject([
      { template: 'invoiceIssued', params: { number: '2631200001', amount: '42.50' } },
    ]);

    await refund(orders[1]!, '2.5', owner);
    const [red] = await listOf(owner);
    expect(red).toMatchObject({ amount: '-2.50', state: 'requested', original: data.id });
    expect((await call('cancel', { id: red!.id }, owner)).code).toBe(4104);
    expect((await call('pdf', { id: red!.id }, owner)).code).toBe(4104);
    expect((await install('refuse', { id: red!.id, reason: 'no' })).code).toBe(4104);
    expect((await issue(red!.id, '2631200003')).code).toBe(2000);
    const slip = async (id: string, input: object, as: As, act = call) => {
      const { code, data } = await act<{ name: string; file: string }>('pdf', { id, ...input }, as);
      return code === 2000 ? { name: data.name, text: await pdfText(Buffer.from(data.file, 'base64')) } : code;
    };
    const issued = await slip(data.id, { language: 'en' }, owner);
    expect(issued).toMatchObject({ name: 'yunxun-invoice-2631200001.pdf' });
    expect(issued).toHaveProperty(
      'text',
      expect.stringMatching(/no tax document[\s\S]*2026-11-20[\s\S]*91310000MA1K35XX0X/),
    );
    expect(issued).toHaveProperty('text', expect.stringContaining('42.50'));
    expect(await slip(red!.id, { language: 'zh-CN' }, admin, install)).toHaveProperty(
      'text',
      expect.stringMatching(/红字发票凭单[\s\S]*2631200001[\s\S]*-2\.50/),
    );
    expect(await slip(data.id, {}, await server.register())).toBe(4113);

    expect((await install('list', {})).data.list.find(({ id }) => id === red!.id)).toMatchObject({ state: 'issued' });
  });

  it('that refuses gives the payments free', async () => {
    const { owner, orders, title_id } = await customer();
    const { data } = await call('request', { order_nos: orders, title_id }, owner);
    expect((await install('refuse', { id: data.id, reason: 'wrong title' })).code).toBe(2000);
    expect(await listOf(owner)).toMatchObject([{ state: 'refused', reason: 'wrong title' }]);
    expect(await openOrders(owner)).toHaveLength(2);
  });
});
