import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const screen = '/config/router_cloud_backup';

const backups = async (page: Page, { gwid, remark, t, url }: Stage) => {
  await page.goto(`${url}${screen}?keyword=${encodeURIComponent(remark)}`);
  const more = () =>
    page
      .locator('tbody')
      .getByRole('button', { name: t('action.more') })
      .first();
  await more().click();
  await page.getByRole('menuitem', { name: t('backup.now') }).click();
  await page.getByText(t('backup.made', { n: 1 })).waitFor();
  await page.goto(`${url}${screen}?tab=backups&gwid=${gwid}`);
  await more().waitFor();
};

const actOn = async (page: Page, stage: Stage, item: 'backup.restore' | 'backup.download' | 'backup.compare_now') => {
  await backups(page, stage);
  await page
    .locator('tbody')
    .getByRole('button', { name: stage.t('action.more') })
    .first()
    .click();
  await page.getByRole('menuitem', { name: stage.t(item), exact: true }).click();
  await page.getByRole('dialog').waitFor();
};

export const backupScreens: readonly BuiltScreen[] = [
  { name: 'cloud-backup-empty', as: 'newPerson', open: (page, { url }) => page.goto(url + screen) },
  { name: 'cloud-backup', as: 'owner', open: (page, { url }) => page.goto(url + screen) },
  { name: 'cloud-backup-list', as: 'owner', open: backups },
  {
    name: 'cloud-backup-one',
    as: 'owner',
    async open(page, stage) {
      await backups(page, stage);
      await page.locator('tbody tr').first().click();
      await page.getByText(stage.t('backup.since')).waitFor();
    },
  },
  {
    name: 'cloud-backup-restore',
    as: 'owner',
    async open(page, stage) {
      await actOn(page, stage, 'backup.restore');
      await page.getByText(stage.t('backup.never_back')).click();
    },
  },
  {
    name: 'cloud-backup-replace',
    as: 'owner',
    async open(page, stage) {
      const { remark, t, url } = stage;
      await backups(page, stage);
      await page.goto(`${url}${screen}?keyword=${encodeURIComponent(remark)}`);
      await page
        .locator('tbody')
        .getByRole('button', { name: t('action.more') })
        .first()
        .click();
      await page.getByRole('menuitem', { name: t('backup.replace') }).click();
      await page.getByRole('dialog').getByLabel(t('backup.one'), { exact: true }).waitFor();
    },
  },
  { name: 'cloud-backup-download', as: 'owner', open: (page, stage) => actOn(page, stage, 'backup.download') },
  {
    name: 'cloud-backup-restores',
    page: true,
    as: 'owner',
    open: (page, { url }) => page.goto(`${url}${screen}?tab=restores`),
  },
];
