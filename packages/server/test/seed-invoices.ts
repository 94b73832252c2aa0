import type { Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import { payInSandbox } from './seed-orders.ts';
import type { Registered, TestServer } from './server.ts';

/** Recharges the balance in the sandbox. @returns the order's number */
export async function paidRecharge(server: TestServer, owner: Registered, amount: string): Promise<string> {
  const input = { amount, method: 'sandbox', key: newId() };
  const { data } = await server.call<{ order_no: string; pay_url: string }>('/api/v3/billing/recharge', input, owner);
  await payInSandbox(server, data.pay_url);
  return data.order_no;
}

export async function addTitle(server: TestServer, owner: Registered): Promise<string> {
  const title = { kind: 'company', name: 'Lakeside Hotel', tax_no: '91310000MA1K35XX0X' };
  return (await server.call<{ id: string }>('/api/v3/billing/invoice/title/save', title, owner)).data.id;
}

/** Requests an invoice, has another issued, and keeps a title. */
export async function makeInvoices(
  server: TestServer,
  owner: Registered,
): Promise<Pick<Seed, 'invoice' | 'invoiceTitle' | 'issuedInvoice'>> {
  const title_id = await addTitle(server, owner);
  const request = async () => {
    const input = { order_nos: [await paidRecharge(server, owner, '30')], title_id };
    return (await server.call<{ id: string }>('/api/v3/billing/invoice/request', input, owner)).data;
  };
  const [invoice, issuedInvoice] = [await request(), await request()];
  await server.db.database.systemPool.query(
    "update invoice set state = 'issued', number = '26312', issued_on = '2026-11-20', settled_at = now() where id = $1",
    [issuedInvoice.id],
  );
  return { invoice, issuedInvoice, invoiceTitle: { id: await addTitle(server, owner) } };
}
