import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepPicture, looks, openPage, seriousIssues, texts } from './browser.ts';
import { type Fixture, startFixture } from './fixture.ts';

let fixture: Fixture;
let page: Page;

const networkCount = 210;

beforeAll(async () => {
  fixture = await startFixture('backups', 2);
  for (let n = 1; n <= networkCount; n += 1) await create(`House-${n}`);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && page) await keepPicture(page, `cloud-backup ${task.name}`);
});
afterAll(() => fixture?.stop());

const create = async (remark: string) =>
  (await fixture.owner.call<{ gwid: string }>('/api/v3/network/create', { remark })).gwid;

interface Wireless {
  version: number;
  ssids: { id: string; name: string }[];
}

describe.each([looks[0]!, looks.at(-1)!])('in %s and %s', (language, theme) => {
  const t = texts(language);
  let errors: string[];
  const rows = () => page.locator('tbody tr');
  const dialog = () => page.getByRole('dialog');
  const act = async (name: string) => {
    await rows()
      .first()
      .getByRole('button', { name: t('action.more') })
      .click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const wireless = (gwid = fixture.gwid) => fixture.owner.call<Wireless>('/api/v3/network/wireless/get', { gwid });
  const rename = async (name: string) => {
    const now = await wireless();
    const ssids = now.ssids.map((ssid) => ({ ...ssid, name, key_set: undefined }));
    const body = { gwid: fixture.gwid, version: now.version, ssids, radios: [] };
    await fixture.owner.call('/api/v3/network/wireless/save', body);
  };

  beforeAll(async () => {
    const { browser, product, owner } = fixture;
    ({ page, errors } = await openPage(browser, product.url, language, theme, { token: owner.token }));
    await rename('Harbour');
  });
  afterAll(() => page?.context().close());

  it('a network is backed up from the list, and its plan changed', async () => {
    await page.goto(`${fixture.product.url}/config/router_cloud_backup`);
    await rows().getByText('Harbour').waitFor();
    await act(t('backup.now'));
    await page.getByText(t('backup.made', { n: 1 })).waitFor();
    await act(t('backup.plan'));
    await dialog().getByText(t('backup.cycle_weekly'), { exact: true }).click();
    await dialog().getByLabel(t('backup.weekday'), { exact: true }).selectOption('7');
    await dialog()
      .getByRole('button', { name: t('action.save') })
      .click();
    await rows()
      .getByText(t('backup.plan_weekly', { day: t('backup.weekday_7'), time: '03:00' }))
      .waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await act(t('backup.show'));
    await page.waitForURL(/tab=backups/);
    await rows().first().getByText(t('backup.type_manual')).waitFor();
  });

  it('a file that is not a backup gets an error next to its field', async () => {
    await page.goto(`${fixture.product.url}/config/router_cloud_backup`);
    await act(t('backup.upload'));
    await dialog().getByLabel(t('backup.file_password'), { exact: true }).fill('only-i-know');
    const file = dialog().getByLabel(t('backup.file'), { exact: true });
    const buffer = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]);
    await file.setInputFiles({ name: 'picture.yunxun', mimeType: 'application/octet-stream', buffer });
    await dialog()
      .getByRole('button', { name: t('backup.upload') })
      .click();
    await dialog().getByText(t('validation.backupFile')).waitFor();
    expect(await file.getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('what changed since is shown, and a restore brings it back once the name is typed', async () => {
    await rename('Pier');
    await page.goto(`${fixture.product.url}/config/router_cloud_backup?tab=backups&type=manual`);
    await act(t('backup.compare_now'));
    await dialog().getByText('Pier').waitFor();
    await dialog()
      .getByRole('button', { name: t('action.close') })
      .last()
      .click();
    await act(t('backup.restore'));
    await dialog().getByText(t('backup.no_return')).waitFor();
    const go = dialog().getByRole('button', { name: t('backup.restore') });
    expect(await go.isDisabled()).toBe(true);
    await dialog()
      .getByLabel(t('backup.type_name_label', { name: 'Harbour' }))
      .fill('Harbour');
    expect(await seriousIssues(page)).toEqual([]);
    await go.click();
    await expect.poll(async () => (await wireless()).ssids[0]!.name).toBe('Harbour');
    await dialog().getByText(t('job_type.configuration')).first().waitFor();
  });

  it('a backup is restored to any other network, found by its name', async () => {
    const name = `Zanzibar-${theme}`;
    const gwid = await create(name);
    await page.goto(`${fixture.product.url}/config/router_cloud_backup?tab=backups&type=manual`);
    await act(t('backup.restore'));
    await dialog().getByText(t('backup.target_else'), { exact: true }).click();
    await dialog().getByText(t('backup.no_target')).waitFor();
    const go = dialog().getByRole('button', { name: t('backup.restore') });
    expect(await go.isDisabled()).toBe(true);
    await dialog().getByLabel(t('pick.find')).fill('House');
    await dialog().getByLabel('House-1', { exact: true }).check();
    await dialog().getByLabel(t('pick.find')).fill(name);
    await dialog().getByLabel(name, { exact: true }).check();
    await dialog().getByLabel(t('backup.type_name_label', { name })).fill(name);
    expect(await seriousIssues(page)).toEqual([]);
    await go.click();
    await expect.poll(async () => (await wireless(gwid)).ssids.map((ssid) => ssid.name)).toEqual(['Harbour']);
  });

  it('a restore is put back from the list of restores', async () => {
    await page.goto(`${fixture.product.url}/config/router_cloud_backup?tab=restores&gwid=${fixture.gwid}`);
    await rows()
      .first()
      .getByRole('button', { name: t('backup.put_back') })
      .click();
    await dialog()
      .getByLabel(t('backup.type_name_label', { name: 'Harbour' }))
      .fill('Harbour');
    await dialog()
      .getByRole('button', { name: t('backup.restore') })
      .click();
    await expect.poll(async () => (await wireless()).ssids[0]!.name).toBe('Pier');
    expect(errors).toEqual([]);
  });
});
