import { type Fleet, startFleet } from '@yunxun/simulator';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, looks, openPage, seriousIssues, texts } from './browser.ts';
import { type Fixture, startFixture } from './fixture.ts';
import { until } from './until.ts';

let fixture: Fixture;
let annex: Fleet;
let page: Page;

interface Wireless {
  version: number;
  ssids: { name: string }[];
}

beforeAll(async () => {
  fixture = await startFixture('impact', 2);
  const { owner, product, gwid } = fixture;
  const other = (await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Annex' })).gwid;
  const { ssids } = await owner.call<Wireless>('/api/v3/network/wireless/get', { gwid });
  const input = { gwid: other, version: 0, ssids: ssids.map((ssid) => ({ ...ssid, id: undefined })), radios: [] };
  await owner.call('/api/v3/network/wireless/save', input);
  const place = { consoleUrl: product.url, bindingCode: owner.bindingCode, gwid: other };
  annex = await startFleet({ ...place, gateways: 0, aps: 1, seed: 'annex', speedUp: 20 });
  await annex.online();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `push impact ${task.name}`);
});
afterAll(async () => {
  annex?.stop();
  await fixture?.stop();
});

describe.each([looks[0]!, looks.at(-1)!])('in %s and %s', (language, theme) => {
  const t = texts(language);
  const look = `${language.slice(0, 2)}-${theme}`;
  let errors: string[];
  const dialog = () => page.getByRole('dialog');
  const wireless = () => fixture.owner.call<Wireless>('/api/v3/network/wireless/get', { gwid: fixture.gwid });
  const names = async () => (await wireless()).ssids.map(({ name }) => name);

  beforeAll(async () => {
    const { browser, product, owner } = fixture;
    ({ page, errors } = await openPage(browser, product.url, language, theme, { token: owner.token }));
  });
  afterAll(async () => {
    expect(errors).toEqual([]);
    await page?.context().close();
  });

  it('blocks a client at once where it is, and elsewhere as chosen', async () => {
    let mac = '';
    await until('a client is on the air in Harbour', async () => {
      const found = (await fixture.terminals({ gwid: fixture.gwid })).find(({ rssi }) => rssi !== null);
      mac = found?.mac ?? '';
      return mac !== '';
    });
    await page.goto(`${fixture.product.url}/networks/online_users?tab=history&keyword=${mac}`);
    await page.locator('tbody tr').getByRole('button').first().click();
    await page.getByRole('menuitem', { name: t('users.block') }).click();
    await dialog()
      .getByText(t('users.block_now', { networks: 'Harbour', n: 3 }))
      .waitFor();
    await dialog()
      .getByText(t('users.block_later_window', { networks: 1, n: 1 }))
      .waitFor();
    await dialog().locator('.drop-facts li').first().waitFor();
    await dialog().getByText(t('users.elsewhere_waves'), { exact: true }).click();
    await dialog()
      .getByText(t('users.block_later_waves', { networks: 1, n: 1 }))
      .waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await dialog().getByText('Harbour', { exact: true }).click();
    await expect
      .poll(() =>
        dialog()
          .getByText(t('users.block_later_waves', { networks: 1, n: 1 }))
          .count(),
      )
      .toBe(0);
    await dialog()
      .getByRole('button', { name: t('users.block'), exact: true })
      .click();
    await dialog().getByText(t('job_status.applied'), { exact: true }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${fixture.product.url}/networks/online_users?tab=blocked`);
    await page.locator('tbody').getByText('Harbour', { exact: true }).last().waitFor();
    await fixture.owner.call('/api/v3/user_online/unblock', { macs: [mac], elsewhere: 'now' });
  });

  it('says in the preview that an added SSID restarts radios, and undoes it from the log after another preview', async () => {
    const before = await names();
    const added = `Guest-${look}-${before.length}`;
    await page.goto(`${fixture.product.url}/network/${fixture.gwid}?tab=wireless`);
    await page.getByRole('button', { name: t('wireless.add') }).click();
    await dialog().getByLabel(t('wireless.name'), { exact: true }).fill(added);
    await dialog().getByLabel(t('wireless.key'), { exact: true }).fill('welcome-2026');
    await dialog()
      .getByRole('button', { name: t('wireless.apply'), exact: true })
      .click();
    await page.getByRole('button', { name: t('wireless.preview'), exact: true }).click();
    const message = dialog().locator('.drop-facts li');
    await message.first().waitFor();
    const [start] = t('drops.ssid_added', { devices: 3, radios: 6, n: 0 }).split(/[:：]/);
    await expect.poll(async () => (await message.allInnerTexts()).join()).toContain(start);
    await dialog()
      .getByRole('button', { name: t('wireless.push', { n: 3 }) })
      .click();
    await dialog().getByText(t('job_status.applied'), { exact: true }).first().waitFor();
    expect(await names()).toEqual([...before, added]);

    await page.goto(`${fixture.product.url}/logs/action?keyword=${fixture.gwid}`);
    await page
      .locator('tbody')
      .getByRole('button', { name: t('action.undo') })
      .first()
      .click();
    await dialog().locator('.drop-facts li').first().waitFor();
    expect((await dialog().locator('.drop-facts li').allInnerTexts()).join()).toContain(
      t('drops.ssid_removed', { devices: 3, radios: 6, n: 0 }).split(/[:：]/)[0],
    );
    await dialog()
      .getByRole('button', { name: t('action.undo'), exact: true })
      .click();
    await page.getByText(t('undo.started'), { exact: true }).waitFor();
    await expect.poll(names).toEqual(before);
  });
});
