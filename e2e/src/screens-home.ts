import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './screens.ts';

const card = (page: Page, id: string) => page.locator(`[data-card="${id}"]`);

/** Opens the home page and waits for its cards. */
const home = async (page: Page, { url }: Stage, query = '') => {
  await page.goto(`${url}/${query}`);
  await card(page, 'attention').waitFor();
};

/** Brings one of the models to the top of the window. */
const model = async (page: Page, stage: Stage, id: 'flow_model' | 'user_model') => {
  await home(page, stage);
  await card(page, id).scrollIntoViewIfNeeded();
  await card(page, id).locator('.panel').first().waitFor();
  await card(page, id).evaluate((element) => element.scrollIntoView());
  await page.evaluate(() => scrollBy(0, -72));
};

/** The home page and its states. */
export const homeScreens: readonly BuiltScreen[] = [
  { name: 'overview-empty', as: 'newcomer', open: (page, { url }) => page.goto(url) },
  { name: 'overview', as: 'owner', open: home },
  { name: 'overview-flow-model', as: 'owner', open: (page, stage) => model(page, stage, 'flow_model') },
  { name: 'overview-user-model', as: 'owner', open: (page, stage) => model(page, stage, 'user_model') },
  {
    name: 'overview-arranging',
    as: 'owner',
    async open(page, stage) {
      await home(page, stage);
      await page.getByRole('button', { name: stage.t('board.arrange') }).click();
      await page.getByRole('button', { name: stage.t('board.hide', { name: stage.t('card.intercept') }) }).click();
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
];
