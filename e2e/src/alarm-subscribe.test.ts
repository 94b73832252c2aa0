import { createECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  keepPicture,
  openPage,
  plainHost,
  seriousIssues,
  signInWith,
  startBrowser,
  texts,
  type Visit,
} from './browser.ts';
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
const pushed: IncomingHttpHeaders[] = [];
let status = 200;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    if (request.url === '/push') pushed.push(request.headers);
    else bodies.push(JSON.parse(body) as { type: string });
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
  expect(visit.complaints).toEqual([]);
});

/** Stands in for the browser's push service, which a test machine does not reach. */
async function fakePushService(): Promise<void> {
  const { port } = receiver.address() as AddressInfo;
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  const subscription = {
    endpoint: `http://127.0.0.1:${port}/push`,
    keys: { p256dh, auth: randomBytes(16).toString('base64url') },
  };
  await visit.context.grantPermissions(['notifications'], { origin: product.url });
  await page.addInitScript((made) => {
    let current: object | null = null;
    const subscribed = { ...made, toJSON: () => made, unsubscribe: async () => (current = null) };
    Object.assign(PushManager.prototype, {
      subscribe: async () => (current = subscribed),
      getSubscription: async () => current,
    });
  }, subscription);
}

it('adds this browser, sends it a test, and shows what its push service delivers', async () => {
  status = 201;
  await fakePushService();
  await page.goto(`${product.url}/alarm_subscribe?tab=browsers`);
  await page.getByRole('button', { name: t('browser.add') }).click();
  const row = page.locator('tbody tr').filter({ hasText: t('browser.current') });
  await row.waitFor();
  expect(await seriousIssues(page)).toEqual([]);

  await page.getByRole('tab', { name: t('subscription.tab_list') }).click();
  await page.getByRole('button', { name: t('subscription.edit', { name: 'On-call' }) }).click();
  await dialog().getByLabel('subscriber@example.org').check();
  await dialog().getByLabel(t('subscription.channel_web_push')).check();
  await dialog()
    .getByRole('button', { name: t('action.save') })
    .click();
  await page.getByText(t('subscription.saved')).first().waitFor();
  await menu('subscription.test');
  await dialog()
    .getByRole('button', { name: t('subscription.test') })
    .click();
  await expect.poll(() => pushed, wait).toMatchObject([{ 'content-encoding': 'aes128gcm' }]);
  await page.keyboard.press('Escape');

  const devtools = await visit.context.newCDPSession(page);
  const versions: { registrationId: string; status: string }[] = [];
  devtools.on('ServiceWorker.workerVersionUpdated', ({ versions: seen }) => versions.push(...seen));
  await devtools.send('ServiceWorker.enable');
  await expect.poll(() => versions.find((one) => one.status === 'activated')?.registrationId).toBeDefined();
  const { registrationId } = versions.find((one) => one.status === 'activated')!;
  const message = { title: 'Gateway offline', body: 'Since 10:02', tag: 'alarm a', path: '/alarm', lang: 'en', at: 0 };
  await devtools.send('ServiceWorker.deliverPushMessage', {
    ...{ origin: product.url, registrationId, data: JSON.stringify(message) },
  });
  const titles = () =>
    page.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body }) => `${title}: ${body}`),
    );
  await expect.poll(titles).toEqual(['Gateway offline: Since 10:02']);

  await page.getByRole('tab', { name: t('subscription.tab_browsers') }).click();
  await row.getByText(t('subscription.state_sent')).waitFor();
  await row.getByRole('button').click();
  await dialog()
    .getByRole('button', { name: t('browser.remove') })
    .click();
  await page.getByRole('button', { name: t('browser.add') }).waitFor();
  expect(visit.complaints).toEqual([]);
});

it('says why a browser cannot show alarms over plain HTTP', async () => {
  const plainUrl = `http://${plainHost}:${new URL(product.url).port}`;
  await signInWith(visit.context, plainUrl, person.token);
  await page.goto(`${plainUrl}/alarm_subscribe?tab=browsers`);
  await page.getByText(t('browser.cannot_insecure')).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
});
