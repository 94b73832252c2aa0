import { methodName } from '@yunxun/portal/method-names';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, startBrowser, texts } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

const t = texts('en');
const name = 'Cafe';
const path = '/api/v3/auth_template';
let product: Product;
let browser: Browser;
let owner: Person;
let page: Page;
let errors: string[];
let id: string;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  owner = await register(product, 'owner@example.org');
  ({ page, errors } = await openPage(browser, product.url, 'en', 'light', { token: owner.token }));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(page, `portal templates ${task.name}`);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

interface Shown {
  status: string;
  methods: { kind: string }[];
  page: { title: { en: string }; logo: string | null };
}
const detail = () => owner.call<Shown>(`${path}/detail`, { id });
const button = (key: Parameters<typeof t>[0], params = {}) =>
  page.getByRole('button', { name: t(key, params), exact: true });
const dialog = () => page.getByRole('dialog');
const phone = () => page.getByRole('region', { name: t('portal.preview') });
const block = (key: 'texts' | 'logo' | 'colour') =>
  page.getByRole('navigation', { name: t('portal.blocks') }).getByRole('button', { name: t(`portal.block_${key}`) });
const save = async () => {
  await button('portal.save').click();
  await page.getByText(t('portal.unsaved')).waitFor({ state: 'hidden' });
};
const publish = async () => {
  await button('portal.publish').click();
  await dialog()
    .getByRole('button', { name: t('portal.publish'), exact: true })
    .click();
  await dialog().waitFor({ state: 'hidden' });
};
const drawn = async (type: string, width: number, height: number): Promise<Buffer> => {
  const url = await page.evaluate(
    ({ kind, size }) => {
      const canvas = document.createElement('canvas');
      Object.assign(canvas, size);
      const context = canvas.getContext('2d')!;
      context.fillStyle = '#c02020';
      context.fillRect(0, 0, size.width, size.height / 2);
      return canvas.toDataURL(kind);
    },
    { kind: type, size: { width, height } },
  );
  return Buffer.from(url.split(',')[1]!, 'base64');
};

it('creates a template, and names what is missing beside its field', async () => {
  await page.goto(`${product.url}/config/template_manage`);
  await button('config.template_add').first().click();
  const title = page.getByLabel(t('template.name'), { exact: true });
  await title.fill('Cafe Bar');
  const welcome = phone().getByText('Welcome to our Wi-Fi');
  await welcome.waitFor();
  await page.locator('.phone-choices').getByText(t('portal.zh'), { exact: true }).click();
  await welcome.waitFor({ state: 'hidden' });
  await page.locator('.phone-choices').getByText(t('portal.en'), { exact: true }).click();
  await welcome.waitFor();
  const password = phone().locator('input[name="password"]');
  expect(await password.count()).toBe(0);
  await page.getByLabel(t('portal.another_method')).selectOption('password');
  await button('portal.add_method').click();
  await phone().getByText('Connect with the password').click();
  await password.waitFor();
  await button('portal.add_link').click();
  await page.getByLabel(t('portal.link_name', { n: 1 })).fill('Menu');
  await page.getByLabel(t('portal.link_address', { n: 1 })).fill('menu.example.org');
  await button('portal.create').click();
  await page.getByText(t('validation.nameText')).waitFor();
  await page.getByText(t('validation.siteLink')).waitFor();
  await page.getByText(t('validation.required')).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  await title.fill(name);
  await page.getByLabel(t('portal.password'), { exact: true }).fill('welcome-2026');
  await page.getByLabel(t('portal.link_address', { n: 1 })).fill('https://menu.example.org');
  await button('portal.create').click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
  id = new URL(page.url()).pathname.split('/').at(-1)!;
  expect((await detail()).methods.map(({ kind }) => kind)).toEqual(['one_click', 'password']);
});

it('orders methods by keyboard and by drag', async () => {
  await button('portal.move_up', { method: methodName('en', 'password') }).press('Enter');
  const second = page.getByRole('heading', { name: `2. ${methodName('en', 'one_click')}` });
  await second.waitFor();
  await save();
  await expect.poll(async () => (await detail()).methods.map(({ kind }) => kind)).toEqual(['password', 'one_click']);
  const rows = page.locator('.portal-methods > li');
  await rows.nth(1).locator('.portal-grip').dragTo(rows.nth(0));
  await page.getByRole('heading', { name: `1. ${methodName('en', 'one_click')}` }).waitFor();
  await save();
  await expect.poll(async () => (await detail()).methods.map(({ kind }) => kind)).toEqual(['one_click', 'password']);
});

it('shows the page while it is edited, goes back and forward, and asks before it is left', async () => {
  await button('portal.edit_page').click();
  await phone().waitFor();
  const title = page.getByLabel(t('portal.title_en'));
  const first = await title.inputValue();
  await title.fill('Hello');
  await phone().getByText('Hello').waitFor();
  await title.press('Control+z');
  await phone().getByText(first).waitFor();
  await button('portal.redo').click();
  await phone().getByText('Hello').waitFor();
  await page.getByText(t('portal.pixels', { n: 320 }), { exact: true }).click();
  await expect.poll(async () => (await phone().locator('main').boundingBox())?.width).toBeLessThanOrEqual(320);
  await page.getByRole('link', { name: t('portal.edit'), exact: true }).click();
  await dialog()
    .getByRole('button', { name: t('leave.stay') })
    .click();
  await phone().getByText('Hello').waitFor();
});

it('requires a picture where its block is on, and takes one that it crops and compresses', async () => {
  await block('logo').click();
  await page.getByRole('switch', { name: t('portal.block_on') }).check();
  await button('portal.save').click();
  await page.getByText(t('portal.picture_missing')).waitFor();
  await block('logo').getByText(t('portal.block_wrong')).waitFor();
  const file = page.getByLabel(t('portal.picture'), { exact: true });
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg></svg>') });
  await dialog().getByText(t('validation.image')).waitFor();
  await dialog()
    .getByRole('button', { name: t('action.cancel') })
    .click();
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await drawn('image/png', 1200, 600) });
  await dialog()
    .getByText(/512×256/)
    .waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  await dialog()
    .getByRole('button', { name: t('portal.crop_upload') })
    .click();
  await dialog().waitFor({ state: 'hidden' });
  await page.getByText(t('portal.picture_missing')).waitFor({ state: 'detached' });
  await block('logo').getByText(t('portal.block_wrong')).waitFor({ state: 'detached' });
  await expect
    .poll(() =>
      phone()
        .locator('.logo')
        .evaluate((image) => (image as HTMLImageElement).naturalWidth),
    )
    .toBe(512);
  await block('colour').click();
  await page.getByText(/readable/).waitFor();
  await save();
  await expect.poll(async () => (await detail()).page.logo).not.toBeNull();
  expect(await seriousIssues(page)).toEqual([]);
});

it('publishes the page, and restores a version into the draft', async () => {
  await publish();
  await expect.poll(async () => (await detail()).status).toBe('published');
  await block('texts').click();
  await page.getByLabel(t('portal.title_en')).fill('Closed');
  await save();
  await publish();
  await page.getByRole('link', { name: t('portal.edit'), exact: true }).click();
  await page.getByRole('tab', { name: t('template.tab_versions') }).click();
  const rows = page.locator('.plain-table tbody tr');
  await expect.poll(() => rows.count()).toBe(2);
  await rows
    .nth(1)
    .getByRole('button', { name: t('template.see') })
    .click();
  await phone().getByText('Hello').waitFor();
  await dialog()
    .getByRole('button', { name: t('action.close') })
    .first()
    .click();
  await rows
    .nth(1)
    .getByRole('button', { name: t('portal.restore') })
    .click();
  await dialog()
    .getByRole('button', { name: t('portal.restore') })
    .click();
  await expect.poll(async () => (await detail()).page.title.en).toBe('Hello');
  expect((await detail()).status).toBe('changed');
});

it('offers to retry the page of guests while the shop cannot be read', async () => {
  const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' });
  await owner.call('/api/v3/portal/site/save', { gwid, enabled: true, template_id: id, gateway: 'opennds_3' });
  const { page: site } = await openPage(browser, product.url, 'en', 'light', { token: owner.token });
  const shop = '**/api/v3/auth_template/shop/detail';
  await site.route(shop, (route) => route.fulfill({ status: 502, body: '' }));
  await site.goto(`${product.url}/auth/${gwid}`);
  const card = site.locator('.card', { has: site.getByRole('heading', { name: t('portal.guest_page'), exact: true }) });
  const retry = card.getByRole('button', { name: t('action.retry') });
  await retry.waitFor({ timeout: 60_000 });
  await site.unroute(shop);
  await retry.click();
  await card.getByRole('region', { name: t('portal.preview') }).waitFor();
  await site.close();
});

it('lists the template with its page in small, copies and deletes it', async () => {
  await page.goto(`${product.url}/config/template_manage`);
  const row = page.locator('tbody tr', { hasText: name });
  await row.locator('.thumbnail .logo').waitFor();
  await row.getByText(t('portal.status_changed')).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  const acts = async (item: Parameters<typeof t>[0], of: string) => {
    await button('template.acts', { name: of }).click();
    await page.getByRole('menuitem', { name: t(item), exact: true }).click();
  };
  await acts('template.copy', name);
  await dialog().getByLabel(t('template.name')).fill(name);
  await dialog()
    .getByRole('button', { name: t('template.copy') })
    .click();
  await dialog().getByText('Template name already exists').waitFor();
  await dialog().getByLabel(t('template.name')).fill('Bar');
  await dialog()
    .getByRole('button', { name: t('template.copy') })
    .click();
  await page.getByRole('heading', { name: 'Bar', exact: true }).waitFor();
  await page.goto(`${product.url}/config/template_manage`);
  await acts('template.delete', 'Bar');
  await dialog()
    .getByRole('button', { name: t('template.delete') })
    .click();
  await dialog().waitFor({ state: 'hidden' });
  await expect.poll(() => page.locator('tbody:not([aria-busy]) tr').count()).toBe(1);
  expect(errors).toEqual([]);
});
