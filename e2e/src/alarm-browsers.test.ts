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
let product: Product;
let browser: Browser;
let person: Person;
let visit: Visit;
let page: Page;
let pushService: Server;
const pushed: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  pushService = createServer((request, response) => {
    pushed.push(request.headers);
    response.writeHead(201).end();
  });
  await new Promise<void>((done) => pushService.listen(0, '127.0.0.1', done));
  [product, browser] = await Promise.all([startProduct(), startBrowser({ notifications: true })]);
  person = await register(product, 'member@example.org');
  const { list } = await person.call<{ list: { id: string }[] }>('/api/v3/alarm_subscription/people', {});
  await person.call('/api/v3/alarm_subscription/save', {
    name: 'On-call',
    enabled: true,
    locale: 'en',
    levels: ['FATAL'],
    kinds: [],
    endpoints: [],
    scope: { type: 'all', ids: [] },
    schedule: [],
    quiet: null,
    digest_minutes: 0,
    repeat_hours: 0,
    members: list.map(({ id }) => id),
    member_channels: ['web_push'],
    recovery: true,
  });
  visit = await openPage(browser, product.url, 'en', 'light', { token: person.token, phone: true });
  page = visit.page;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `alarm-browsers ${task.name}`);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  pushService?.close();
});

const tab = (name: 'list' | 'browsers') => page.getByRole('tab', { name: t(`subscription.tab_${name}`) });
const row = () => page.locator('tbody tr').filter({ hasText: t('browser.current') });
/** Widest part of the page beyond the screen, in pixels. */
const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Replaces the browser's connection to its vendor's push service, which a test machine does not reach. */
async function replacePushService(): Promise<void> {
  const { port } = pushService.address() as AddressInfo;
  const subscription = {
    endpoint: `http://127.0.0.1:${port}/push`,
    keys: {
      p256dh: createECDH('prime256v1').generateKeys('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
  };
  await page.addInitScript((made) => {
    let current: object | null = null;
    const subscribed = { ...made, toJSON: () => made, unsubscribe: async () => (current = null) };
    Object.assign(PushManager.prototype, {
      subscribe: async () => (current = subscribed),
      getSubscription: async () => current,
    });
  }, subscription);
}

it('adds this browser on a phone, and sends it a test', async () => {
  await visit.context.grantPermissions(['notifications'], { origin: product.url });
  await replacePushService();
  await page.goto(`${product.url}/alarm`);
  await page.getByRole('link', { name: t('alarm.in_browser') }).click();
  await page.getByRole('button', { name: t('browser.add') }).waitFor();
  await expect.poll(beyond).toBe(0);
  await page.getByRole('button', { name: t('browser.add') }).click();
  await row().waitFor();
  await expect.poll(beyond).toBe(0);
  expect(await seriousIssues(page)).toEqual([]);
  await person.call('/api/v3/alarm_subscription/test', {
    id: (await person.call<{ list: { id: string }[] }>('/api/v3/alarm_subscription/list', {})).list[0]!.id,
  });
  await expect.poll(() => pushed).toMatchObject([{ 'content-encoding': 'aes128gcm' }]);
  await tab('list').click();
  await tab('browsers').click();
  await expect.poll(() => row().getByText(t('subscription.state_sent')).count()).toBe(1);
});

it('shows what the push service delivers', async () => {
  const devtools = await visit.context.newCDPSession(page);
  const versions: { registrationId: string; status: string }[] = [];
  devtools.on('ServiceWorker.workerVersionUpdated', ({ versions: seen }) => versions.push(...seen));
  await devtools.send('ServiceWorker.enable');
  const active = () => versions.find(({ status }) => status === 'activated')?.registrationId;
  await expect.poll(active).toBeDefined();
  const message = { title: 'Gateway offline', body: 'Since 10:02', tag: 'alarm a', path: '/alarm', lang: 'en', at: 0 };
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: product.url,
    registrationId: active()!,
    data: JSON.stringify(message),
  });
  const shown = () =>
    page.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body }) => ({ title, body })),
    );
  await expect.poll(shown).toEqual([{ title: 'Gateway offline', body: 'Since 10:02' }]);
});

it('removes the browser, and offers to add it again', async () => {
  await row().getByRole('button').click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('browser.remove') })
    .click();
  await page.getByRole('button', { name: t('browser.add') }).waitFor();
  expect(visit.errors).toEqual([]);
});

it('says that a browser does not trust the certificate of the console', async () => {
  // what a browser answers once a person has made an exception for the page
  await page.evaluate(() => {
    ServiceWorkerContainer.prototype.register = async () => {
      throw new DOMException('An SSL certificate error occurred when fetching the script.', 'SecurityError');
    };
  });
  await page.getByRole('button', { name: t('browser.add') }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: t('browser.untrusted') })
    .waitFor();
});

it('says why a browser cannot show alarms over plain HTTP', async () => {
  const plainUrl = `http://${plainHost}:${new URL(product.url).port}`;
  await signInWith(visit.context, plainUrl, person.token);
  await page.goto(`${plainUrl}/alarm_subscribe?tab=browsers`);
  await page.getByText(t('browser.cannot_insecure')).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
});
