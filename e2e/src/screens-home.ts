import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';
import { tilesOf } from './home-answers.ts';
import { fullDisk } from './screens-alarms.ts';
import { answers } from './screens-sign-in.ts';

const card = (page: Page, id: string) => page.locator(`[data-card="${id}"]`);

const home = async (page: Page, { url }: Stage, query = '') => {
  await page.goto(`${url}/${query}`);
  await card(page, 'problems').locator(':is(.answer-content, .line-card-text)').waitFor();
  await card(page, 'tiles').locator(':is(.answer-content, .line-card-text)').waitFor();
};

const withTiles = async (page: Page, stage: Stage, networks: number) => {
  await page.route('**/api/v3/overview/tiles', (route) =>
    route.fulfill({ json: { code: 2000, message: 'Success', data: tilesOf(networks) } }),
  );
  await home(page, stage);
};

const model = async (page: Page, stage: Stage, id: 'flow_model' | 'user_model') => {
  await home(page, stage);
  await card(page, id).scrollIntoViewIfNeeded();
  await card(page, id).locator('.panel').first().waitFor();
  await card(page, id).evaluate((element) => element.scrollIntoView());
  await page.evaluate(() => scrollBy(0, -72));
};

export const homeScreens: readonly BuiltScreen[] = [
  {
    name: 'overview-no-stream',
    as: 'owner',
    async open(page, stage) {
      await answers(page, 'live', 4106);
      await home(page, stage);
      await page.getByText(stage.t('live.full')).waitFor();
    },
  },
  { name: 'overview-empty', as: 'newPerson', open: (page, { url }) => page.goto(url) },
  { name: 'overview', as: 'owner', open: home },
  {
    name: 'overview-account-problem',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      const { id, kind, level, serial, name, part, began_at: since } = fullDisk;
      const problem = { alarm_id: id, kind, level, serial, name, part, since, devices: 1, clients: null };
      const row = { gwid: null, remark: '', level, since, clients: null, problems: [problem], total: 1 };
      const data = { as_of: new Date().toISOString(), list: [row], total: 1, networks: 1 };
      await page.route('**/api/v3/overview/problems', (route) =>
        route.fulfill({ json: { code: 2000, message: 'Success', data } }),
      );
      await home(page, stage);
    },
  },
  { name: 'overview-forty', as: 'owner', answered: true, open: (page, stage) => withTiles(page, stage, 40) },
  { name: 'overview-thousand', as: 'owner', answered: true, open: (page, stage) => withTiles(page, stage, 1000) },
  {
    name: 'overview-phone',
    as: 'owner',
    async open(page, stage) {
      await page.setViewportSize({ width: 390, height: 844 });
      await home(page, stage);
      await card(page, 'tiles').locator('.tile').first().waitFor();
    },
  },
  { name: 'overview-flow-model', as: 'owner', open: (page, stage) => model(page, stage, 'flow_model') },
  { name: 'overview-user-model', as: 'owner', open: (page, stage) => model(page, stage, 'user_model') },
  {
    name: 'overview-arranging',
    as: 'owner',
    async open(page, stage) {
      // kept, it would change the other pictures
      await answers(page, 'personalization/save', 2000);
      await home(page, stage);
      await page.getByRole('button', { name: stage.t('board.arrange') }).click();
      await page.getByRole('button', { name: stage.t('board.hide', { name: stage.t('card.bands') }) }).click();
    },
  },
  {
    name: 'overview-explained',
    as: 'owner',
    async open(page, stage) {
      const { t } = stage;
      await home(page, stage);
      await card(page, 'online')
        .getByRole('button', { name: t('explain.title', { name: t('card.online') }) })
        .click();
      await page.getByText(t('explain.online.what')).waitFor();
    },
  },
  {
    name: 'overview-failed',
    as: 'owner',
    async open(page, stage) {
      await page.route('**/api/v3/user_stat/client_num', (route) =>
        route.fulfill({ status: 429, headers: { 'retry-after': '17' }, json: { code: 429, message: '', data: null } }),
      );
      await home(page, stage);
      await card(page, 'trend').getByText(stage.t('empty.failed')).waitFor();
      await card(page, 'trend').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'search-settings',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/`);
      await page.getByRole('button', { name: t('header.search') }).click();
      await page.getByRole('combobox', { name: t('search.title') }).fill(t('log_action.network.create').slice(0, 6));
      await page
        .getByRole('group', { name: t('search.kind_log') })
        .getByRole('option')
        .first()
        .waitFor();
    },
  },
  {
    name: 'search',
    as: 'owner',
    async open(page, { t, url, remark }) {
      await page.goto(`${url}/personalization`);
      await page.getByRole('button', { name: t('header.search') }).click();
      await page.getByRole('combobox', { name: t('search.title') }).fill(remark);
      await page
        .getByRole('group', { name: t('search.kind_network') })
        .getByRole('option')
        .first()
        .waitFor();
    },
  },
  {
    name: 'keyboard-shortcuts',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/personalization`);
      await page.getByRole('button', { name: t('header.search') }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText(t('keys.list_search')).waitFor();
    },
  },
];
