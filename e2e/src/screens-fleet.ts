import type { Page } from 'playwright-core';
import type { Text } from './browser.ts';
import type { BuiltScreen, Stage } from './built-screen.ts';

const deviceTab =
  (tab: Parameters<Text>[0], shows: (stage: Stage, drawer: ReturnType<Page['getByRole']>) => Promise<unknown>) =>
  async (page: Page, stage: Stage) => {
    await page.goto(`${stage.url}/network/aps/${stage.gwid}?device=${stage.serial}`);
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('tab', { name: stage.t(tab), exact: true }).click();
    await shows(stage, drawer);
  };

const networkTab =
  (tab: string, shows: (stage: Stage, page: Page) => Promise<unknown>) => async (page: Page, stage: Stage) => {
    await page.goto(`${stage.url}/network/${stage.gwid}?tab=${tab}`);
    await shows(stage, page);
  };

const batch = (path: (stage: Stage) => string, act: Parameters<Text>[0]) => async (page: Page, stage: Stage) => {
  await page.goto(stage.url + path(stage));
  await page.locator('tbody tr input[type=checkbox]').first().check();
  await page
    .locator('.toolbar')
    .getByRole('button', { name: stage.t(act), exact: true })
    .click();
  await page.getByRole('dialog').waitFor();
};

const setUp = (act: 'silence' | 'maintenance' | 'restart') => async (page: Page, stage: Stage) => {
  await batch(() => '/networks', 'batch.set_up')(page, stage);
  await page
    .getByRole('dialog')
    .getByText(stage.t(`batch.act_${act}`), { exact: true })
    .click();
};

export const fleetScreens: readonly BuiltScreen[] = [
  {
    name: 'networks-cards',
    page: true,
    as: 'owner',
    open: (page, { url }) => page.goto(`${url}/networks?look=cards`),
  },
  {
    name: 'networks-views',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/networks?status=online`);
      await page.getByRole('button', { name: t('views.title') }).click();
      await page.getByRole('button', { name: t('views.save') }).click();
      await page.getByRole('dialog').getByLabel(t('views.name')).waitFor();
    },
  },
  { name: 'networks-tags', as: 'owner', open: batch(() => '/networks', 'batch.set_up') },
  { name: 'networks-silence', as: 'owner', open: setUp('silence') },
  { name: 'networks-maintenance', as: 'owner', open: setUp('maintenance') },
  { name: 'networks-restart', as: 'owner', open: setUp('restart') },
  { name: 'devices-group', as: 'owner', open: batch(({ gwid }) => `/network/aps/${gwid}`, 'groups.group') },
  { name: 'devices-rename', as: 'owner', open: batch(({ gwid }) => `/network/aps/${gwid}`, 'batch.rename') },
  {
    name: 'groups',
    as: 'owner',
    async open(page, { t, url, gwid }) {
      await page.goto(`${url}/network/aps/${gwid}`);
      await page.getByRole('button', { name: t('groups.manage') }).click();
      await page.getByRole('dialog').getByLabel(t('groups.new_name')).waitFor();
    },
  },
  {
    name: 'group-settings',
    as: 'owner',
    async open(page, { t, url, gwid }) {
      await page.goto(`${url}/network/aps/${gwid}`);
      await page.getByRole('button', { name: t('groups.manage') }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(t('groups.new_name')).fill('Lobbies');
      await dialog.getByRole('button', { name: t('groups.create') }).click();
      await dialog.getByRole('button', { name: t('groups.settings', { name: 'Lobbies' }) }).click();
      await dialog.getByText(t('group_settings.body')).waitFor();
    },
  },
  {
    name: 'device-values',
    page: true,
    as: 'owner',
    open: deviceTab('device.tab_values', ({ t }, drawer) => drawer.getByText(t('values.field_minimum_rssi')).waitFor()),
  },
  {
    name: 'device-day',
    page: true,
    as: 'owner',
    open: deviceTab('device.tab_charts', ({ t }, drawer) =>
      drawer.getByRole('heading', { name: t('charts.load') }).waitFor(),
    ),
  },
  {
    name: 'device-events',
    page: true,
    as: 'owner',
    open: deviceTab('device.tab_events', ({ t }, drawer) => drawer.getByLabel(t('events.type')).waitFor()),
  },
  {
    name: 'device-neighbours',
    page: true,
    as: 'owner',
    open: deviceTab('device.tab_neighbours', async ({ t }, drawer) => {
      await drawer.getByRole('button', { name: t('neighbours.scan') }).click();
      await drawer.getByRole('columnheader', { name: t('neighbours.whose') }).waitFor();
    }),
  },
  {
    name: 'device-tools',
    page: true,
    as: 'owner',
    open: deviceTab('device.tab_tools', async ({ t }, drawer) => {
      await drawer.getByLabel(t('tools.target')).fill('1.1.1.1');
      await drawer.getByRole('button', { name: t('tools.run') }).click();
      await drawer.getByText(t('tools.times')).waitFor();
    }),
  },
  {
    name: 'network-tools',
    page: true,
    as: 'owner',
    open: networkTab('tools', ({ t }, page) =>
      page.getByRole('combobox', { name: t('tools.tool'), exact: true }).waitFor(),
    ),
  },
  {
    name: 'network-tools-http',
    as: 'owner',
    open: networkTab('tools', async ({ t }, page) => {
      await page.getByRole('combobox', { name: t('tools.tool'), exact: true }).selectOption('http_check');
      await page.getByLabel(t('tools.url')).fill('https://www.example.com/');
      // this gateway is none of ours
      await page.getByText(t('tools.gate_firmware')).waitFor();
    }),
  },
  {
    name: 'network-events',
    page: true,
    as: 'owner',
    open: networkTab('events', ({ t }, page) => page.getByLabel(t('events.type')).waitFor()),
  },
  {
    name: 'network-settings',
    page: true,
    as: 'owner',
    open: networkTab('settings', async ({ t }, page) => {
      await page.getByLabel(t('window.weekly')).check();
      await page.getByText(t('window.day_7')).waitFor();
    }),
  },
  {
    name: 'network-more',
    page: true,
    as: 'owner',
    open: networkTab('more', ({ t }, page) => page.getByText(t('more.auth')).waitFor()),
  },
  {
    name: 'channel-plan',
    as: 'owner',
    async open(page, { t, url, gwid }) {
      await page.goto(`${url}/network/aps/${gwid}`);
      await page.getByRole('button', { name: t('plan.title') }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: t('plan.propose'), exact: true }).click();
      await dialog.getByRole('button', { name: t('plan.all'), exact: true }).waitFor();
    },
  },
];
