import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keepPicture, openPage, seriousIssues, startBrowser, texts, type Visit } from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

const t = texts('en');
const wait = { timeout: 60_000 };
let product: Product;
let browser: Browser;
let person: Person;
let visit: Visit;
let page: Page;
let receiver: Server;
const bodies: { type: string }[] = [];
let status = 200;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    bodies.push(JSON.parse(body) as { type: string });
    response.writeHead(status).end();
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  person = await register(product, 'subscriber@example.org');
  visit = await openPage(browser, product.url, 'en', 'light', { token: person.token });
  page = visit.page;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `alarm-subscribe ${task.name}`);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  receiver?.close();
});

const dialog = () => page.getByRole('dialog');
const menu = async (item: 'subscription.test' | 'subscription.delete') => {
  await page.getByRole('button', { name: t('subscription.acts', { name: 'On-call' }) }).click();
  await page.getByRole('menuitem', { name: t(item) }).click();
};

it('makes a subscription, and shows the secret of its webhook once', async () => {
  await page.goto(`${product.url}/alarm_subscribe`);
  await page.getByRole('button', { name: t('subscription.create') }).click();
  await dialog()
    .getByRole('button', { name: t('action.save') })
    .click();
  await dialog().getByText(t('validation.required')).first().waitFor();
  await dialog().getByLabel(t('subscription.name')).fill('On-call');
  await dialog()
    .getByRole('button', { name: t('subscription.endpoint_add') })
    .click();
  const { port } = receiver.address() as AddressInfo;
  await dialog()
    .getByLabel(t('subscription.endpoint_url', { n: 1 }), { exact: true })
    .fill(`http://127.0.0.1:${port}/in`);
  expect(await seriousIssues(page)).toEqual([]);
  await dialog()
    .getByRole('button', { name: t('action.save') })
    .click();
  await dialog().getByText(t('subscription.secrets_title')).waitFor();
  await dialog()
    .getByText(/^whsec_/)
    .waitFor();
  await dialog()
    .getByRole('button', { name: t('action.close') })
    .click();
  await page.locator('tbody tr', { hasText: 'On-call' }).waitFor();
});

it('sends a test, and shows its result and the record', async () => {
  await menu('subscription.test');
  const send = dialog().getByRole('button', { name: t('subscription.test') });
  await send.click();
  await expect.poll(() => dialog().getByText(t('subscription.state_sent')).count(), wait).toBe(2);
  expect(bodies).toMatchObject([{ type: 'alarm.test' }]);
  status = 500;
  await send.click();
  await dialog()
    .getByText(/HTTP 500/)
    .waitFor(wait);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: t('subscription.tab_sent') }).click();
  await page
    .locator('tbody')
    .getByText(/HTTP 500/)
    .waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  expect(visit.errors).toEqual([]);
});
