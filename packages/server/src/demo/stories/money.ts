import type { GuestKnowledge } from '@yunxun/simulator';
import { addDays, dayOf, momentOf, startOfDay } from '../../platform/calendar.ts';
import { newId } from '../../platform/database/index.ts';
import type { Owner } from '../accounts.ts';
import type { Call } from '../call.ts';
import { cardsNote } from '../guest-knowledge.ts';
import { zone } from '../memory.ts';
import { inThePast, type PastConsole } from '../past-console.ts';
import { beganAt } from '../troubles.ts';
import { askedInvoice, offerGuestInvoices, refuseGuestInvoice, settleGuestInvoices } from './guest-invoices.ts';
import { openSites, type PastSite, visit } from './past-visits.ts';
import { localized, sitesOf } from './sites.ts';
import { runSteps } from './steps.ts';
import type { DemoWorld, Story } from './story.ts';

interface Step {
  at: Date;
  act(): Promise<unknown>;
}

const hourMs = 3_600_000;
const [sales, salesToday] = [9, 3];
const coupon = 'WELCOME';

/**
 * Sells packages and cards to guests of last month and this one, refunds one, recharges the account, invoices it and
 * closes the month. The console's clock is set to the time of each act, which the books record.
 */
export const money: Story = {
  name: 'money',
  async tell(world) {
    const hotels = world.owners.map((owner) => ({
      owner,
      sites: sitesOf(world, owner).filter(({ shop }) => shop.edge && shop.kind === 'hotel'),
    }));
    await inThePast(world, async (past) => {
      for (const { owner, sites } of hotels)
        await keepBooks(world, past, owner, await openSites(world, past, owner, sites));
    });
  },
};

async function keepBooks(world: DemoWorld, past: PastConsole, owner: Owner, sites: readonly PastSite[]): Promise<void> {
  const steps = await stepsOf(world, past, owner, sites);
  const acts = steps.map(({ at, act }) => () => {
    past.at(at);
    return act();
  });
  await runSteps(world, `money ${owner.account.email}`, acts);
}

async function stepsOf(world: DemoWorld, past: PastConsole, owner: Owner, sites: readonly PastSite[]): Promise<Step[]> {
  const call = await past.as(owner);
  const admin = await past.as(world.owners[0]!);
  const now = beganAt(world.file);
  // a month can be closed an hour after its end
  const thisMonth = startOfDay(`${dayOf(new Date(now.getTime() - 2 * hourMs), zone).slice(0, 7)}-01`, zone);
  const lastDay = dayOf(new Date(thisMonth.getTime() - hourMs), zone);
  const month = lastDay.slice(0, 7);
  const opening = momentOf(`${month}-02`, '10:00', zone);
  const closing = new Date(Math.min(thisMonth.getTime() + 9 * hourMs, now.getTime() - hourMs / 2));
  const recharges = [recharge(past, call, '500'), recharge(past, call, '300')] as const;
  const sell = (from: Date, to: Date, first: number, count = sales) =>
    sites.flatMap((site) => purchases(world, past, owner, site, { from, to, first, count }));
  const morning = Math.max(startOfDay(dayOf(now, zone), zone).getTime(), closing.getTime() + hourMs / 4);
  return [
    { at: opening, act: () => offerGoods(world, owner, call, sites) },
    { at: momentOf(`${month}-02`, '10:20', zone), act: () => deferIncome(call) },
    { at: new Date(opening.getTime() + 60_000), act: () => offerGuestInvoices(owner, call) },
    ...(owner === world.owners[0] ? [{ at: opening, act: () => serveAccounts(owner, admin) }] : []),
    { at: momentOf(`${month}-03`, '11:20', zone), act: recharges[0] },
    ...sell(momentOf(`${month}-04`, '09:00', zone), momentOf(lastDay, '20:00', zone), 0),
    { at: momentOf(addDays(lastDay, -1), '16:10', zone), act: () => refundOne(owner, call) },
    { at: new Date(closing.getTime() - 60_000), act: () => nameCash(owner, call) },
    { at: closing, act: () => call('/api/v3/billing/books/close', { month }) },
    { at: new Date(closing.getTime() + 60_000), act: () => invoice(past, owner, call, admin) },
    { at: new Date(closing.getTime() + 120_000), act: () => settleGuestInvoices(past, owner, call) },
    { at: new Date(now.getTime() - hourMs / 9), act: () => refuseGuestInvoice(owner, call) },
    { at: new Date(now.getTime() - hourMs / 5), act: () => loseRefund(past, owner, call) },
    { at: new Date(now.getTime() - hourMs / 7), act: () => refundElsewhere(past, owner, call) },
    ...sell(new Date(closing.getTime() + hourMs / 4), new Date(morning), sales),
    ...sell(new Date(morning), new Date(now.getTime() - hourMs / 4), 2 * sales, salesToday),
    { at: new Date(now.getTime() - hourMs / 6), act: recharges[1] },
    { at: new Date(now.getTime() - hourMs / 8), act: () => invoice(past, owner, call, null) },
    { at: new Date(now.getTime() - hourMs / 9), act: () => orderTransfer(call) },
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

const terms = { bytes: 0, up_kbps: 0, down_kbps: 20_480, valid_days: 30, gwids: null, enabled: true };

async function offerGoods(
  { file: { memory, save } }: DemoWorld,
  owner: Owner,
  call: Call,
  sites: readonly PastSite[],
): Promise<void> {
  const packages = [
    { name: { zh: '两小时', en: 'Two-hours' }, price: '3', minutes: 120, devices: 1 },
    { name: { zh: '全天', en: 'Day' }, price: '9.90', minutes: 1440, devices: 2 },
    { name: { zh: '一周', en: 'Week' }, price: '39.90', minutes: 10_080, devices: 3 },
  ];
  const ids: string[] = [];
  for (const { name, ...more } of packages) {
    const made = { name: localized(owner, name), ...terms, ...more };
    ids.push((await call<{ id: string }>('/api/v3/billing/package/create', made)).id);
  }
  await call('/api/v3/billing/coupon/create', {
    name: localized(owner, { zh: '新客优惠', en: 'Welcome' }),
    code: coupon,
    kind: 'share',
    amount: '0',
    percent: 20,
    min_price: '5',
    per_person: 1,
    max_uses: 500,
    gwids: null,
    valid_days: 365,
  });
  const cards: Record<string, string[]> = {};
  for (const { site } of sites) {
    const { codes } = await call<{ codes: string[] }>('/api/v3/recharge_card/generate', {
      name: localized(owner, { zh: `前台充值卡-${site.shop.name}`, en: `Desk-${site.shop.name.replaceAll(' ', '-')}` }),
      package_id: ids[1],
      face: '9.90',
      count: 20,
      prefix: 'YX',
      valid_days: 365,
    });
    cards[site.shop.name] = codes;
  }
  memory.notes[cardsNote] = { ...(memory.notes[cardsNote] as object | undefined), ...cards };
  save();
}

/** Cards that the desk has sold, and that guests have not used yet, are not earned. */
async function deferIncome(call: Call): Promise<void> {
  await call('/api/v3/billing/deferred/save', { enabled: true, version: 0 });
  const { list } = await call<{ list: { id: string; unused: number }[] }>('/api/v3/recharge_card/batch/list', {});
  for (const { id, unused } of list)
    await call('/api/v3/recharge_card/sell', { batch_id: id, count: Math.min(6, unused), unsold: unused });
}

/** Names the bank account for transfers, and issues a coupon to all accounts. */
async function serveAccounts(owner: Owner, admin: Call): Promise<void> {
  const { version } = await admin<{ version: number }>('/api/v3/install/transfer/bank/get', {});
  await admin('/api/v3/install/transfer/bank/save', {
    enabled: true,
    version,
    bank: localized(owner, { zh: '中国工商银行杭州西湖支行', en: 'ICBC Hangzhou West Lake Branch' }),
    account_no: '1202 0212 0990 0012 345',
    payee: localized(owner, { zh: '杭州云巡科技有限公司', en: 'Hangzhou Yunxun Technology' }),
  });
  await admin('/api/v3/install/coupon/create', {
    name: localized(owner, { zh: '开业优惠', en: 'Opening-offer' }),
    code: 'YUNXUN80',
    kind: 'share',
    amount: '0',
    percent: 20,
    min_price: '10',
    per_account: 1,
    max_uses: 0,
    goods: ['sms', 'sdwan_package'],
    account_id: null,
    valid_days: 365,
  });
}

async function orderTransfer(call: Call): Promise<void> {
  await call('/api/v3/billing/recharge', { amount: '200', method: 'manual', key: newId() });
}

/** The accountant keeps what guests paid in cash in an account of its own. */
async function nameCash(owner: Owner, call: Call): Promise<void> {
  const codes = await call<{ list: { ledger: string; code: string; name: string }[] }>(
    '/api/v3/billing/account_code/get',
    {},
  );
  const name = localized(owner, { zh: '库存现金-前台', en: 'Cash at the desk' });
  const list = codes.list.map((one) => (one.ledger === 'cash' ? { ...one, code: '1001.01', name } : one));
  await call('/api/v3/billing/account_code/save', { ...codes, list });
}

/** Spreads guests who buy or redeem a card over a time, in the order of the clock. */
function purchases(
  { file: { memory } }: DemoWorld,
  past: PastConsole,
  owner: Owner,
  site: PastSite,
  { from, to, first, count }: { from: Date; to: Date; first: number; count: number },
): Step[] {
  const { locale } = owner.account;
  const { name } = site.site.shop;
  const span = to.getTime() - from.getTime();
  return Array.from({ length: count }, (_none, index) => {
    const number = first + index;
    const at = new Date(from.getTime() + (span * (index + 0.3 + (name.length % 5) / 10)) / count);
    const knows: GuestKnowledge = {
      password: '',
      vouchers: [],
      accounts: [],
      coupon,
      cards: () => (memory.notes[cardsNote] as Record<string, string[]> | undefined)?.[name] ?? [],
    };
    const way = index % 4 === 2 ? 'recharge_card' : 'purchase';
    const invoice = askedInvoice(owner, number);
    const minutes = 45 + ((number * 17) % 60);
    return { at, act: () => visit(past, site, locale, knows, number, { at, way, minutes, invoice }) };
  });
}

const recharge = (past: PastConsole, call: Call, amount: string) => async () => {
  const asked = { amount, method: 'sandbox', key: newId() };
  const { pay_url } = await call<{ pay_url: string }>('/api/v3/billing/recharge', asked);
  const { pathname, search } = new URL(pay_url);
  await fetch(past.consoleUrl + pathname + search, { method: 'POST', redirect: 'manual' });
};

async function guestOrders(call: Call): Promise<{ order_no: string; amount: string }[]> {
  const asked = { type: 'income', state: 'completed', limit: 50 };
  const { list } = await call<{ list: { order_no: string | null; amount: string }[] }>(
    '/api/v3/billing/transaction/list',
    asked,
  );
  return list.flatMap(({ order_no, amount }) => (order_no === null ? [] : [{ order_no, amount }]));
}

/** The guest's card is closed: the refund comes back, and waits for a decision. */
async function loseRefund(past: PastConsole, owner: Owner, call: Call): Promise<void> {
  const [order] = await guestOrders(call);
  if (!order) return;
  const { order_no: orderNo, amount } = order;
  const reason = localized(owner, { zh: '重复付款', en: 'Paid twice' });
  await call('/api/v3/billing/order/refund', { order_no: orderNo, amount, reason, used: true, key: newId() });
  const fen = Math.round(Number(amount) * 100);
  const failed = { orderNo, refundNo: `${orderNo}-r0`, fen, failure: 'USER_ACCOUNT_ABNORMAL' };
  await past.sandboxRefund(owner.accountId, failed);
}

async function refundElsewhere(past: PastConsole, owner: Owner, call: Call): Promise<void> {
  const order = (await guestOrders(call)).at(-1);
  if (!order) return;
  const orderNo = order.order_no;
  const refund = { orderNo, refundNo: `site-${orderNo}`, fen: 100, failure: null };
  await past.sandboxRefund(owner.accountId, refund);
}

/** Refunds what the newest guest with time left did not use; else half of the newest order. */
async function refundOne(owner: Owner, call: Call): Promise<void> {
  const reason = localized(owner, { zh: '客人提前退房', en: 'Guest checked out early' });
  const orders = await guestOrders(call);
  for (const { order_no } of orders) {
    const { unused } = await call<{ unused: string }>('/api/v3/billing/order/get', { order_no });
    if (Number(unused) > 0)
      return call('/api/v3/billing/order/refund', { order_no, amount: unused, reason, key: newId() });
  }
  const [newest] = orders;
  if (!newest) return;
  const amount = (Number(newest.amount) / 2).toFixed(2);
  await call('/api/v3/billing/order/refund', { order_no: newest.order_no, amount, reason, used: true, key: newId() });
}

/** @param admin issues it; null: it stays requested */
async function invoice(past: PastConsole, owner: Owner, call: Call, admin: Call | null): Promise<void> {
  const { list: titles } = await call<{ list: { id: string }[] }>('/api/v3/billing/invoice/title/list', {});
  const title = {
    kind: 'company',
    name: localized(owner, { zh: '杭州西湖酒店管理有限公司', en: 'Harbour Hotels Pty Ltd' }),
    tax_no: '91330100MA2B0XYZ1X',
    email: owner.account.email,
  };
  const title_id = titles[0]?.id ?? (await call<{ id: string }>('/api/v3/billing/invoice/title/save', title)).id;
  const { list } = await call<{ list: { order_no: string }[] }>('/api/v3/billing/invoice/order/list', {});
  const order_nos = list.map(({ order_no }) => order_no);
  if (order_nos.length === 0) return;
  const { id } = await call<{ id: string }>('/api/v3/billing/invoice/request', { order_nos, title_id });
  if (!admin) return;
  const number = `2633${String(past.now().getTime()).slice(0, 12)}`;
  await admin('/api/v3/install/invoice/issue', { id, number, issued_on: dayOf(past.now(), zone) });
}
