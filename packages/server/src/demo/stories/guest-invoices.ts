import { addDays, dayOf } from '../../platform/calendar.ts';
import { newId } from '../../platform/database/index.ts';
import type { Owner } from '../accounts.ts';
import type { Call } from '../call.ts';
import { zone } from '../memory.ts';
import type { PastConsole } from '../past-console.ts';
import { localized } from './sites.ts';

interface GuestInvoice {
  id: string;
  order_no: string;
}

/** One of nine guests asks for a company, one for a person. */
const every = 9;

export function offerGuestInvoices(owner: Owner, call: Call): Promise<unknown> {
  return call('/api/v3/billing/fapiao/settings/save', {
    version: 0,
    enabled: true,
    seller_name: localized(owner, { zh: '杭州西湖酒店管理有限公司', en: 'Harbour Hotels Pty Ltd' }),
    seller_tax_no: '91350100M000100Y43',
    rate: 6,
    goods_name: localized(owner, { zh: '互联网接入服务', en: 'Internet access' }),
    goods_code: '3010302000000000000',
    issuer: 'manual',
  });
}

export function askedInvoice(owner: Owner, number: number): Record<string, string> | null {
  const email = `guest${number}@example.com`;
  if (number % every === 0) {
    const name = localized(owner, { zh: '示例科技有限公司', en: 'Example Technology Ltd' });
    return { kind: 'company', name, tax_no: '914403001922038216', email };
  }
  if (number % every !== 1) return null;
  return { kind: 'person', name: localized(owner, { zh: '李雷', en: 'Jane Roe' }), email };
}

const asked = async (call: Call) =>
  (await call<{ list: GuestInvoice[] }>('/api/v3/billing/fapiao/list', { state: 'asked', limit: 50 })).list;

/** Enters what the shop issued for last month; one guest then gets half back. */
export async function settleGuestInvoices(past: PastConsole, owner: Owner, call: Call): Promise<void> {
  const issued_on = addDays(dayOf(past.now(), zone), -1);
  const open = await asked(call);
  for (const [index, { id }] of open.entries()) {
    const number = `2633${String(past.now().getTime() + index).padStart(16, '0')}`;
    await call('/api/v3/billing/fapiao/issue', { id, number, issued_on });
  }
  const [refunded] = open;
  if (!refunded) return;
  const { order_no } = refunded;
  const { amount, refunded: back } = await call<{ amount: string; refunded: string }>('/api/v3/billing/order/get', {
    order_no,
  });
  const half = ((Number(amount) - Number(back)) / 2).toFixed(2);
  const reason = localized(owner, { zh: '网络故障补偿', en: 'Compensation for an outage' });
  await call('/api/v3/billing/order/refund', { order_no, amount: half, reason, used: true, key: newId() });
}

export async function refuseGuestInvoice(owner: Owner, call: Call): Promise<void> {
  const oldest = (await asked(call)).at(-1);
  if (!oldest) return;
  const reason = localized(owner, { zh: '抬头与税号不一致', en: 'Title and tax number do not match' });
  await call('/api/v3/billing/fapiao/fail', { id: oldest.id, reason });
}
