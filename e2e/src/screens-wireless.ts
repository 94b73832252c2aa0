import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const monitor = async (page: Page, { url }: Stage, rest = '') => {
  await page.goto(`${url}/wireless_monitor${rest}`);
  await page.locator('.radio-top').waitFor();
};

export const wirelessScreens: readonly BuiltScreen[] = [
  {
    name: 'wireless-monitor-empty',
    as: 'newPerson',
    async open(page, { t, url }) {
      await page.goto(`${url}/wireless_monitor`);
      await page.getByText(t('radio.empty')).waitFor();
    },
  },
  { name: 'wireless-monitor', as: 'owner', open: monitor },
  {
    name: 'wireless-monitor-network',
    as: 'owner',
    open: (page, stage) => monitor(page, stage, `/${stage.gwid}?step=1h`),
  },
  {
    name: 'wireless-monitor-explained',
    as: 'owner',
    async open(page, stage) {
      const { t } = stage;
      await monitor(page, stage);
      await page.getByRole('button', { name: t('radio.about', { name: t('radio.score') }) }).click();
      await page.getByText(t('radio_what.score')).waitFor();
    },
  },
  {
    name: 'wireless-monitor-picker',
    as: 'owner',
    async open(page, stage) {
      await monitor(page, stage);
      await page.getByRole('button', { name: stage.t('radio.all_networks') }).click();
      await page.getByRole('dialog').getByRole('link', { name: stage.remark }).waitFor();
    },
  },
  {
    name: 'wireless-monitor-failed',
    as: 'owner',
    async open(page, stage) {
      await page.route('**/api/v3/wireless/score', (route) => route.abort());
      await monitor(page, stage);
      await page.locator('.radio-score').getByText(stage.t('empty.failed')).waitFor();
    },
  },
];
