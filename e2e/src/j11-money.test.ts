import { createHmac } from 'node:crypto';
import { messageByKey } from '@yunxun/contract/messages';
import { paymentName } from '@yunxun/contract/payment-fields';
import { pageText } from '@yunxun/portal';
import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../bench/lib/free-ports.ts';
import { purchaseText } from '../../packages/portal/src/methods/purchase/text.ts';
import { rechargeCardText } from '../../packages/portal/src/methods/recharge-card/text.ts';
import { registerAdministrator } from './administrator.ts';
import { keepPicture, openPage, startBrowser, type Text, texts } from './browser.ts';
import { type CapturedPhones, capturedPhones } from './captured-phones.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

/** Journey J11, behind a simulated gateway: an owner sells access to guests, and the administrator decides. */

const limits = { minutes: 60, times_per_day: 0, up_kbps: 0, down_kbps: 0, devices: 1 };
const template = {
  name: 'Shop',
  methods: [
    { kind: 'purchase', ...limits },
    { kind: 'recharge_card', ...limits },
  ],
  page: {
    title: { zh: '大堂无线网', en: 'Lobby Wi-Fi' },
    logo: null,
    background: null,
    carousel: [],
    countdown: null,
    colour: '#0b6e4f',
    text: { zh: '', en: '' },
    terms: { zh: '', en: '' },
  },
  whitelist: [],
  jump: '',
  remember_days: 0,
};
const [password, webhookSecret] = ['135790', 'whsec_1'];

let product: Product & { output(): string };
let browser: Browser;
let admin: Person;
let page: Page;

beforeAll(async () => {
  const [portalPort] = await freePorts(1);
  const settings = { YUNXUN_PORTAL_PORT: String(portalPort) };
  [product, browser] = await Promise.all([startProduct('main', /is ready/, '127.0.0.1', settings), startBrowser()]);
  admin = await registerAdministrator(product, 'admin@example.org');
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `j11 ${task.name}`);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const fenOf = (text: string) => Math.round(Number(text.replace(/[¥,]/g, '')) * 100);
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const texted = (rows: Locator) => rows.evaluateAll((all) => all.map((one) => one.textContent ?? ''));

describe.each(['zh-CN', 'en'] as const)('in %s', (locale) => {
  const t: Text = texts(locale);
  const guestText = (...[key, params]: Parameters<typeof pageText> extends [unknown, ...infer R] ? R : never) =>
    pageText(locale, key, params);
  let owner: Person;
  let gwid: string;
  let fleet: Fleet;
  let phones: CapturedPhones;
  let [own, office]: Page[] = [];
  let codes: string[];

  beforeAll(async () => {
    owner = await register(product, `owner-${locale}@example.org`.toLowerCase());
    ({ gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' }));
    fleet = await startFleet({
      consoleUrl: product.url,
      bindingCode: owner.bindingCode,
      gwid,
      seed: `j11-${locale}`,
      edges: 1,
      speedUp: 20,
    });
    await fleet.online();
    phones = capturedPhones(fleet);
    const { id } = await owner.call<{ id: string }>('/api/v3/auth_template/create', template);
    await owner.call('/api/v3/auth_template/publish', { id, revision: 1 });
    const site = { gwid, enabled: true, template_id: id, gateway: 'edge', captive: { lans: ['LAN'] } };
    await owner.call('/api/v3/portal/site/save', site);
    await owner.call('/api/v3/security/withdrawal_password', { password, confirm_password: password });
    ({ page: own } = await openPage(browser, product.url, locale, 'light', { token: owner.token }));
    ({ page: office } = await openPage(browser, product.url, locale, 'light', { token: admin.token }));
  });
  afterAll(() => fleet?.stop());

  const go = async (as: Page, path: string) => {
    page = as;
    await page.goto(`${product.url}/${path}`);
  };
  const button = (key: Parameters<Text>[0], inside: Page | Locator = page) =>
    inside.getByRole('button', { name: t(key), exact: true });
  const dialog = () => page.getByRole('dialog');
  const fill = (key: Parameters<Text>[0], value: string) => dialog().getByLabel(t(key), { exact: true }).fill(value);
  const send = async (key: Parameters<Text>[0]) => {
    await button(key, dialog()).click();
    await dialog().waitFor({ state: 'hidden' });
  };
  const row = (hasText: string) => page.locator('tbody tr').filter({ hasText });
  const choose = async (of: Locator, key: Parameters<Text>[0]) => {
    await of.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: t(key), exact: true }).click();
  };

  const booked = (kind: string) => messageByKey(locale, `orders.${kind}`);

  /** Without scripts, on a phone. */
  async function capture(number: number): Promise<Page> {
    await expect.poll(() => phones.redirect(number)).not.toBeNull();
    const viewport = { width: 320, height: 568 };
    const context = await browser.newContext({ javaScriptEnabled: false, locale, viewport });
    page = await context.newPage();
    await page.goto(phones.redirect(number)!);
    return page;
  }

  async function redeem(number: number, code: string): Promise<Page> {
    const guest = await capture(number);
    await guest.getByText(rechargeCardText(locale, 'heading'), { exact: true }).click();
    await guest.getByLabel(rechargeCardText(locale, 'code')).fill(code);
    await guest
      .locator('form', { has: guest.getByLabel(rechargeCardText(locale, 'code')) })
      .getByRole('button', { name: guestText('connect') })
      .click();
    return guest;
  }

  async function expectOnline(guest: Page, number: number, time: string): Promise<void> {
    await guest.getByText(guestText('remaining', { time })).waitFor();
    expect(phones.isIn(number)).toBe(true);
  }

  it('offers the sandbox once the administrator switches it on', async () => {
    await go(office!, 'install?tab=payments');
    const card = page.locator('.card', { has: page.getByRole('heading', { name: paymentName(locale, 'sandbox')! }) });
    await card.getByRole('switch').setChecked(true);
    // on since the first language
    if (await button('action.save', card).isEnabled()) await button('action.save', card).click();
    await go(own!, 'billing/transactions');
    await button('billing.recharge').first().click();
    await dialog()
      .getByLabel(t('payment.method'))
      .selectOption({ label: paymentName(locale, 'sandbox')! });
  });

  it('makes packages and cards on their screens', async () => {
    await go(own!, 'billing/packages');
    for (const [name, price, minutes] of [
      ['TwoHours', '9.90', '120'],
      ['OneHour', '6.60', '60'],
    ] as const) {
      await button('goods.package_create').first().click();
      await fill('goods.name', name);
      await fill('goods.price', price);
      await fill('goods.minutes', minutes);
      await send('action.save');
      await row(name).waitFor();
    }
    await go(own!, 'billing/cards');
    await button('goods.cards_make').first().click();
    await fill('goods.batch', 'Desk');
    await dialog().getByLabel(t('goods.package'), { exact: true }).selectOption({ label: 'OneHour' });
    await fill('goods.count', '3');
    await button('goods.cards_make', dialog()).click();
    const slips = dialog().locator('.code-slip strong');
    await slips.first().waitFor();
    codes = await texted(slips);
    expect(codes).toHaveLength(3);
  });

  it('brings a guest online with the package that was paid in the sandbox', async () => {
    const guest = await capture(1);
    const form = guest.locator('form', { has: guest.getByText(purchaseText(locale, 'choose_package')) });
    await form.getByLabel('TwoHours').check();
    await form.getByLabel(paymentName(locale, 'sandbox')!).check();
    await form.getByRole('button', { name: purchaseText(locale, 'buy'), exact: true }).click();
    await guest.getByText(messageByKey(locale, 'pay.warning')).waitFor();
    expect(phones.isIn(1)).toBe(false);
    await guest.getByRole('button', { name: messageByKey(locale, 'pay.pay') }).click();
    await expectOnline(guest, 1, guestText('hours', { hours: 2 }));
  });

  it('brings guests online with recharge cards, and refuses a void one', async () => {
    const time = guestText('hours', { hours: 1 });
    await expectOnline(await redeem(2, codes[0]!), 2, time);
    await expectOnline(await redeem(3, codes[1]!), 3, time);
    await go(own!, 'billing/cards?tab=cards');
    await button('goods.void_card', row(codes[2]!.slice(-4))).click();
    await send('goods.void_card');
    const guest = await redeem(4, codes[2]!);
    await guest.getByRole('alert').getByText(guestText('error.card_void')).waitFor();
    expect(phones.isIn(4)).toBe(false);
  });

  it('refunds a part of the package on the transactions screen, and a card', async () => {
    await go(own!, 'billing/transactions');
    await row(booked('portal_package')).waitFor();
    expect(await row(booked('recharge_card')).count()).toBe(2);
    await row(booked('portal_package')).click();
    await dialog().getByLabel(t('billing.refund_amount')).fill('4.00');
    await dialog().getByLabel(t('billing.refund_reason')).fill('Complaint');
    await button('billing.refund', dialog()).click();
    await dialog()
      .getByRole('heading', { name: t('billing.refunds'), exact: true })
      .waitFor();
    await dialog().getByText('Complaint').waitFor();
    await go(own!, 'billing/cards?tab=log');
    await button('goods.refund', row(codes[1]!.slice(-4))).click();
    await fill('goods.reason', 'Complaint');
    await dialog().getByLabel(t('billing.refund_used')).check();
    await send('goods.refund');
    await expect.poll(() => row('Desk').count()).toBe(1);
  });

  it('credits a bank transfer that the administrator finds by its reference', async () => {
    await go(office!, 'install?tab=payments');
    const card = page.locator('.card', { has: page.getByRole('heading', { name: t('payment.transfer') }) });
    await card.getByRole('switch').setChecked(true);
    for (const [key, value] of [
      ['payment.payee', 'Yunxun'],
      ['payment.account_no', '1202 0212 0990 0012'],
      ['payment.bank', 'ICBC'],
    ] as const)
      await card.getByLabel(t(key), { exact: true }).fill(value);
    if (await button('action.save', card).isEnabled()) await button('action.save', card).click();
    await go(own!, 'billing/transactions');
    await button('billing.recharge').first().click();
    await fill('billing.recharge_amount', '200');
    await dialog()
      .getByLabel(t('payment.method'))
      .selectOption({ label: t('payment.transfer') });
    await button('billing.recharge_go', dialog()).click();
    const reference = (await dialog().locator('code').last().textContent())!;
    await go(office!, `install?tab=transfers&keyword=${reference}`);
    await choose(row(reference), 'transfer.confirm');
    await fill('transfer.receipt', 'ICBC-1');
    await send('transfer.confirm');
    await row(t('transfer.state_completed')).first().waitFor();
  });

  it('issues the invoice that the owner asks for', async () => {
    await go(own!, 'billing/invoices?tab=titles');
    await button('invoice.title_add').click();
    await fill('invoice.name', 'Lakeside Hotel');
    await fill('invoice.tax_no', '91310000MA1K35XX0X');
    await send('action.save');
    await go(own!, 'billing/invoices?tab=orders');
    await row('¥200.00').getByLabel(t('table.select_row')).check();
    await button('invoice.request').click();
    await dialog()
      .getByText(t('invoice.sum', { n: 1, amount: '¥200.00' }))
      .waitFor();
    await send('invoice.request');
    await row(t('invoice.state_requested')).waitFor();
    await go(office!, 'install?tab=invoices');
    await choose(row(t('invoice.state_requested')), 'invoice.issue');
    await fill('invoice.number', '26312000000000000001');
    await fill('invoice.issued_on', new Date().toISOString().slice(0, 10));
    await send('invoice.issue');
    await go(own!, 'billing/invoices');
    await row(t('invoice.state_issued')).click();
    const saved = page.waitForEvent('download');
    await button(locale === 'en' ? 'invoice.pdf_en' : 'invoice.pdf_zh', dialog()).click();
    expect((await saved).suggestedFilename()).toMatch(/\.pdf$/);
  });

  it('earns what a guest pays at a provider', async () => {
    const settings = { provider: 'stripe', enabled: true, secret_key: 'sk_test_1', webhook_secret: webhookSecret };
    await admin.call('/api/v3/install/payment/save', settings);
    const guest = await capture(5);
    const form = guest.locator('form', { has: guest.getByText(purchaseText(locale, 'choose_package')) });
    await form.getByLabel('TwoHours').check();
    await form.getByLabel(paymentName(locale, 'stripe')!).check();
    await form.getByRole('button', { name: purchaseText(locale, 'buy'), exact: true }).click();
    // Stripe itself is out of reach
    await guest.getByText(messageByKey(locale, 'pay.unavailable')).waitFor();
    const no = /\/(\d{18})\?/.exec(guest.url())![1];
    const object = { id: 'cs_1', client_reference_id: no, amount_total: 990, payment_status: 'paid', currency: 'cny' };
    const body = JSON.stringify({ id: `evt_${no}`, type: 'checkout.session.completed', data: { object } });
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', webhookSecret).update(`${t}.${body}`).digest('hex');
    const headers = { 'stripe-signature': `t=${t},v1=${v1}` };
    const heard = await fetch(`${product.url}/pay/webhook/stripe`, { method: 'POST', headers, body });
    expect(heard.status).toBe(200);
    await admin.call('/api/v3/install/payment/save', { provider: 'stripe', enabled: false });
  });

  it('pays a withdrawal of what was earned, and refuses a wrong password and recharged money', async () => {
    await go(own!, 'billing/withdrawals');
    await button('withdraw.request').first().click();
    await fill('withdraw.holder', 'Li Wei');
    await fill('withdraw.bank_card', '6222021112345678901');
    await fill('withdraw.id_card', '11010119900307123X');
    await fill('withdraw.amount', '5');
    await fill('withdraw.password', '000000');
    await button('withdraw.request', dialog()).click();
    await dialog().getByRole('alert').waitFor();
    await fill('withdraw.password', password);
    await fill('withdraw.amount', '9.91');
    await button('withdraw.request', dialog()).click();
    await dialog().getByRole('alert').waitFor();
    await fill('withdraw.amount', '5');
    await send('withdraw.request');
    await row(t('withdraw.state_requested')).waitFor();
    await go(office!, 'install?tab=withdrawals');
    await choose(row(t('withdraw.state_requested')), 'withdraw.approve');
    await send('withdraw.approve');
    await choose(row(t('withdraw.state_approved')), 'withdraw.pay');
    await fill('withdraw.receipt', 'ICBC-2');
    await send('withdraw.pay');
    await go(own!, 'billing/balance');
    await page.locator('.figure:not(.dim)', { hasText: '¥204.90' }).waitFor();
  });

  it('sets a share of the income, and asks before it ends', async () => {
    await owner.call('/api/v3/hosting/grant', { login: admin.email, gwids: [gwid], permissions: ['network.read'] });
    await go(own!, 'billing/transactions?tab=shares');
    await button('share.set').first().click();
    // the first option asks to choose
    await dialog().getByLabel(t('share.host')).selectOption({ index: 1 });
    await dialog().getByLabel(t('share.network')).selectOption({ label: 'Lobby' });
    await fill('share.percent', '20');
    await send('action.save');
    await button('share.end').click();
    await dialog().getByText(t('share.end_body')).waitFor();
    await send('share.end');
    await button('share.end').waitFor({ state: 'detached' });
  });

  it('says that waiting refunds, differences and shares cannot be read', async () => {
    const failing = /billing\/(decision|difference|share)\/list/;
    await own!.route(failing, (route) => route.fulfill({ status: 500, json: { code: 5000, message: 'broken' } }));
    await go(own!, 'billing/transactions');
    for (const key of ['billing.waiting', 'billing.differences'] as const)
      await page
        .locator('.card', { hasText: t(key) })
        .getByText(t('empty.failed'))
        .waitFor();
    await go(own!, 'billing/transactions?tab=shares');
    await page
      .locator('.card', { hasText: t('share.tab') })
      .getByText(t('empty.failed'))
      .waitFor();
    await own!.unroute(failing);
  });

  it('shows a trial balance of zero, and the income of the journal on the home page', async () => {
    await go(own!, 'billing/transactions?tab=books&ledger=income');
    await row(booked('recharge_card_refund')).waitFor();
    await row(t('books.ledger_income')).filter({ hasText: '-¥16.50' }).first().waitFor();
    const closing = page.locator('tr', { hasText: t('books.sum') }).locator('td:last-child');
    // yuan, and the play money of the sandbox
    expect(await texted(closing)).toEqual(['¥0.00', '¥0.00']);
    const play = t('billing.play_money');
    const lines = page.locator('.table-card tbody tr').filter({ hasNotText: play });
    await expect.poll(() => lines.count()).toBe(4);
    const amounts = (await texted(lines)).map((line) => line.match(/¥[\d.,]+/g) ?? []);
    expect(amounts.map(([amount]) => amount).toSorted()).toEqual(['¥6.60', '¥6.60', '¥6.60', '¥9.90']);
    await go(own!, 'billing/transactions?tab=income&days=1');
    const net = row('¥').locator('td:last-child');
    await net.waitFor();
    const [shown] = await texted(net);
    await row('¥').click();
    const parts = dialog().locator('td:last-child');
    await parts.first().waitFor();
    expect(sum((await texted(parts)).map(fenOf))).toBe(fenOf(shown!));
    await go(own!, '');
    const card = page.locator('.card', { has: page.getByRole('heading', { name: t('card.income') }) });
    await card.locator('.figure', { hasText: '¥' }).waitFor();
    expect(await texted(card.locator('.figure'))).toEqual([shown]);
    expect(fenOf(shown!)).toBe(1650);
  });
});
