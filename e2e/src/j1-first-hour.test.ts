import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, type Language, openPage, plainHost, startBrowser, type Theme, texts } from './browser.ts';
import { ask } from './person.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** English on plain HTTP under a custom name, where browsers have no clipboard API. */
describe.each<[Language, Theme, string, string]>([
  ['zh-CN', 'light', '13812345601', '127.0.0.1'],
  ['en', 'dark', '13812345602', plainHost],
])('the first hour, in %s and %s', (language, theme, mobile, host) => {
  const t = texts(language);
  let page: Page;
  let errors: string[];
  let url: string;
  let bindingCode: string;
  const fleets: Fleet[] = [];

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepPicture(page, `j1 ${language} ${task.name}`);
  });
  afterAll(async () => {
    for (const fleet of fleets) fleet.stop();
    await page?.context().close();
  });

  it('sends a visitor to sign in, and registers with a mobile', async () => {
    url = product.url.replace('127.0.0.1', host);
    ({ page, errors } = await openPage(browser, url, language, theme));
    await page.addInitScript(() =>
      addEventListener(
        'click',
        ({ isTrusted }) => {
          if (isTrusted) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1));
        },
        true,
      ),
    );
    await page.goto(`${url}/networks`);
    await page.waitForURL('**/login*');
    await page.getByRole('link', { name: t('login.register') }).click();
    await page.waitForURL('**/register*');
    await page.getByLabel(t('login.mobile')).fill(mobile);
    await page.getByRole('button', { name: t('code.send') }).click();
    await expect.poll(() => sentTo(mobile)).toMatch(/^\d{6}$/);
    await page.getByLabel(t('login.sms_code')).fill(sentTo(mobile));
    await page.getByLabel(t('set_password.password'), { exact: true }).fill('first1234');
    await page.getByLabel(t('set_password.again'), { exact: true }).fill('first1234');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: t('register.submit'), exact: true }).click();
    await page.waitForURL('**/networks');
    await page.getByRole('heading', { name: t('home.networks') }).waitFor();
  });

  it('shows on the overview how to connect the first device, with the binding code to copy', async () => {
    await page.getByRole('link', { name: t('home.index'), exact: true }).click();
    await page.getByRole('heading', { name: t('overview.start') }).waitFor();
    const shown = page.getByRole('banner').locator('code');
    bindingCode = (await shown.textContent()) ?? '';
    expect(bindingCode).toMatch(/^[0-9A-Z]{10}$/);
    await copyButton().click();
    await page.getByText(t('copy.done')).first().waitFor();
    expect(await pasted()).toBe(bindingCode);
  });

  it('selects the code and says so where the browser refuses to copy', async () => {
    await page.evaluate(() => {
      getSelection()?.removeAllRanges();
      const refuse = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: refuse } });
      Object.defineProperty(document, 'execCommand', { configurable: true, value: () => false });
    });
    await copyButton().click();
    await page.getByText(t('copy.failed')).first().waitFor();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(bindingCode);
  });

  it('answers a device with a wrong code with a readable error', async () => {
    const wrong = bindingCode.startsWith('A') ? `B${bindingCode.slice(1)}` : `A${bindingCode.slice(1)}`;
    const enrolling = startFleet({ consoleUrl: product.url, bindingCode: wrong, aps: 1, seed: `j1 wrong ${language}` });
    await expect(enrolling).rejects.toThrow(texts('en')('validation.bindingCode'));
    const csr = '-----BEGIN CERTIFICATE REQUEST-----\nAA==\n-----END CERTIFICATE REQUEST-----\n';
    const body = { binding_code: wrong, serial: '020000000001', csr };
    expect(await ask(product, '/api/v3/device/enroll', body, { language })).toMatchObject({
      status: 422,
      errors: { binding_code: [t('validation.bindingCode')] },
    });
  });

  it('shows the gateway without a reload', async () => {
    await page.getByRole('link', { name: t('home.networks'), exact: true }).click();
    await page.waitForURL('**/networks');
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    await switchOn({ gateways: 1 });
    await page
      .getByRole('row', { name: /Simulated-Gateway-G4/ })
      .getByText(t('status.online'))
      .waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(await stillTheSame()).toBe(true);
    // one more if the browser refuses to copy
    const clicks = await page.evaluate(() => Number(sessionStorage.getItem('clicks')));
    expect(clicks).toBeGreaterThan(4);
    expect(clicks - 1).toBeLessThanOrEqual(12);
  });

  it('renames the network', async () => {
    await page.getByRole('link', { name: 'Simulated-Gateway-G4' }).click();
    await page.waitForURL(({ pathname }) => pathname.startsWith('/network/'));
    await page.getByRole('button', { name: `${t('action.edit')} · ${t('networks.name')}` }).click();
    await page.getByRole('textbox', { name: t('networks.name') }).fill('Lobby');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Lobby' }).waitFor();
  });

  it('tags it', async () => {
    await more('network.edit_tags');
    await page.getByRole('dialog').getByLabel('Lobby').fill('Downtown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: t('network.tab_settings'), exact: true }).click();
    await page.getByRole('tabpanel').getByText('Downtown').waitFor();
  });

  it('places it on the map', async () => {
    await more('home.map');
    await page.getByText(t('map.placing', { name: 'Lobby' })).waitFor();
    await page.getByRole('button', { name: t('map.type') }).click();
    const at = { [t('map.lat')]: '30.2741', [t('map.lng')]: '120.1551', [t('map.address')]: 'West-Lake' };
    for (const [label, value] of Object.entries(at)) await page.getByLabel(label).fill(value);
    await page.getByRole('button', { name: t('action.save') }).click();
    await page.getByRole('button', { name: t('map.point', { name: 'Lobby', status: t('status.online') }) }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('30.27410, 120.15510').waitFor();
    await drawer.getByText('Downtown').waitFor();
    await drawer.getByRole('link', { name: t('map.open') }).click();
    await page.getByRole('heading', { name: 'Lobby' }).waitFor();
    expect(await stillTheSame()).toBe(true);
  });

  it('shows an access point that joins behind the gateway', async () => {
    await page.getByRole('heading', { name: t('network.gateway_facts'), exact: true }).waitFor();
    await switchOn({ aps: 1 });
    const row = page.getByRole('row', { name: /Simulated-AP-AX3000/ });
    await row.getByText(t('status.online')).waitFor();
    expect(await stillTheSame()).toBe(true);
  });

  it('changes the Wi-Fi name, and the device itself proves it', async () => {
    await page.getByRole('tab', { name: t('network.tab_wireless') }).click();
    await page.getByRole('button', { name: t('wireless.add') }).click();
    await page.getByLabel(t('wireless.name')).fill('Lobby-Guest');
    await page.getByLabel(t('wireless.key'), { exact: true }).fill('welcome-2026');
    await page.getByRole('button', { name: t('wireless.apply') }).click();
    await page.getByRole('button', { name: t('wireless.preview') }).click();
    const preview = page.getByRole('dialog');
    await preview.locator('details', { hasText: 'Simulated-AP' }).locator('summary').click();
    await preview.getByText('Lobby-Guest').first().waitFor();
    const before = accessPoint();
    expect(before.ssids).not.toContain('Lobby-Guest');
    const push = preview.locator('button[type=submit]');
    await expect.poll(() => push.isEnabled()).toBe(true);
    expect(await push.textContent()).toBe(t('wireless.push', { n: 2 }));
    await push.click();
    await expect.poll(() => accessPoint().ssids).toContain('Lobby-Guest');
    // a higher number: our document, not the factory's
    expect(accessPoint().uuid).toBeGreaterThan(before.uuid);
    const drawer = page.getByRole('dialog');
    await drawer.getByText(t('job_status.succeeded')).first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.page-title').getByText(t('sync.in_sync'), { exact: true }).waitFor();
    await page.getByRole('button', { name: /Lobby-Guest/ }).waitFor();
    expect(await stillTheSame()).toBe(true);
  });

  it('left a line for each of it in the operation log', async () => {
    await page
      .getByRole('navigation', { name: t('menu.main') })
      .getByRole('link', { name: t('section.messages') })
      .click();
    await page.waitForURL('**/logs/action');
    const line = (key: Parameters<typeof t>[0]) => page.getByRole('row').filter({ hasText: t(key) });
    await line('log_action.account.register').waitFor();
    await expect.poll(() => line('log_action.device.bind').count()).toBe(2);
    await expect.poll(() => line('log_action.network.update').filter({ hasText: 'Lobby' }).count()).toBe(2);
    await line('log_action.map.place').filter({ hasText: 'Lobby' }).waitFor();
    await line('log_action.network.wireless.save').filter({ hasText: 'Lobby' }).click();
    await page.getByRole('dialog').getByText('Lobby-Guest').first().waitFor();
    expect(await page.getByRole('dialog').textContent()).not.toContain('welcome-2026');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: t('log.verify') }).click();
    await page.getByText(t('log.intact', { n: (await page.getByRole('row').count()) - 1 })).waitFor();
  });

  it('complained of nothing on the way', () => {
    expect(errors).toEqual([]);
  });

  const copyButton = () => page.getByRole('banner').getByRole('button', { name: t('action.copy') });
  const more = async (item: Parameters<typeof t>[0]) => {
    await page
      .locator('.page-head')
      .getByRole('button', { name: t('action.more') })
      .click();
    await page.getByRole('menuitem', { name: t(item), exact: true }).click();
  };
  const accessPoint = () => fleets.at(-1)!.status()[0]!;
  const stillTheSame = () => page.evaluate(() => 'sameDocument' in globalThis);

  async function switchOn(what: { gateways?: number; aps?: number }): Promise<void> {
    const seed = `j1 ${language} ${fleets.length}`;
    fleets.push(await startFleet({ consoleUrl: product.url, bindingCode, ...what, seed, speedUp: 20 }));
  }

  async function pasted(): Promise<string> {
    await page.evaluate(() => document.body.append(document.createElement('textarea')));
    const box = page.locator('body > textarea');
    await box.focus();
    await page.keyboard.press('Control+V');
    const text = await box.inputValue();
    await box.evaluate((element) => element.remove());
    return text;
  }

  function sentTo(target: string): string {
    try {
      return product.code(target);
    } catch {
      return '';
    }
  }
});
