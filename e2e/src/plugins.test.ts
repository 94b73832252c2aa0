import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { buildCatalogue, makeKey, packArchive } from '../../packages/plugins/pack.ts';
import { registerAdministrator } from './administrator.ts';
import { keepPicture, openPage, startBrowser, texts, type Visit } from './browser.ts';
import type { Person } from './person.ts';
import { startProduct } from './product.ts';

let product: Awaited<ReturnType<typeof startProduct>>;
let browser: Browser;
let admin: Person;
let visit: Visit | undefined;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), startBrowser()]);
  admin = await registerAdministrator(product, 'admin@example.org');
}, 60_000);
afterEach(async ({ task }) => {
  if (visit && task.result?.state === 'fail') await keepPicture(visit.page, `plugins ${task.name}`);
  await visit?.context.close();
  visit = undefined;
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

it('takes a catalogue only from a trusted publisher, and offers its plugin', async () => {
  const t = texts('en');
  visit = await openPage(browser, product.url, 'en', 'light', { token: admin.token });
  const { page, errors } = visit;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const { pem, key } = makeKey();
  const folder = join(import.meta.dirname, '../../packages/plugins/metrics');
  const buffer = packArchive(buildCatalogue([folder], 'Maker', pem));
  const file = { name: 'catalogue.tar.gz', mimeType: 'application/gzip', buffer };
  const send = async () => {
    await dialog.getByLabel(t('plugins.import_file'), { exact: true }).setInputFiles(file);
    await dialog.getByRole('button', { name: t('plugins.import'), exact: true }).click();
  };

  await page.goto(`${product.url}/install?tab=plugins`);
  await button(t('plugins.import')).click();
  await send();
  await dialog.getByText('The key of publisher Maker is not trusted', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: t('action.cancel'), exact: true }).click();

  await button(t('plugins.trust')).click();
  await dialog.getByLabel(t('plugins.publisher_name'), { exact: true }).fill('Maker');
  await dialog.getByLabel(t('plugins.key'), { exact: true }).fill(key);
  await dialog.getByRole('button', { name: t('plugins.trust'), exact: true }).click();
  await page.getByRole('cell', { name: key, exact: true }).waitFor();
  await button(t('plugins.import')).click();
  await send();
  await page.getByRole('cell', { name: 'metrics', exact: true }).waitFor();

  await page.goto(`${product.url}/index`);
  await page.getByRole('textbox', { name: t('plugins.search'), exact: true }).fill('prometheus');
  await page.getByRole('link', { name: 'Prometheus metrics', exact: true }).click();
  await page.getByText(t('plugins.permission_host.read'), { exact: true }).waitFor();
  await page.getByRole('heading', { name: t('plugins.no_devices'), exact: true }).waitFor();
  expect(await button(t('plugins.install')).getAttribute('aria-disabled')).toBe('true');
  // the refused import
  expect(errors.filter((one) => !/422/.test(one))).toEqual([]);
});
