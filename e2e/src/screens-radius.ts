import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const client = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90af1',
  name: 'Lobby-AP',
  gwid: '7c9e6679-7425-40de-944b-e07fc1f90ae8',
  network: 'West-Lake',
  source: '203.0.113.7',
  identifier: 'lobby',
  require_ma: true,
  coa_port: 3799,
  seen_at: new Date(Date.now() - 60_000).toISOString(),
  accepted: 1204,
  rejected: 3,
  accounted: 9871,
  refused_at: new Date(Date.now() - 600_000).toISOString(),
  refusal: 'wrong_secret',
  proven_at: new Date(Date.now() - 86_400_000).toISOString(),
  lapses_at: null,
  odd_at: new Date(Date.now() - 3_600_000).toISOString(),
  oddity: 'counter_fell',
};
const unproven = (at: number, days: number) => ({
  ...client,
  id: `7c9e6679-7425-40de-944b-e07fc1f90af${at}`,
  name: `Annex-${at}`,
  source: '',
  accepted: 0,
  refused_at: null,
  refusal: null,
  odd_at: null,
  oddity: null,
  seen_at: null,
  accounted: 0,
  rejected: 0,
  proven_at: null,
  lapses_at: new Date(Date.now() + days * 86_400_000).toISOString(),
});

const withClients = async (page: Page, { url }: Stage) => {
  const json = { code: 2000, message: 'Success', data: { list: [client, unproven(2, 5), unproven(3, -1)], total: 3 } };
  await page.route('**/api/v3/radius/nas/list', (route) => route.fulfill({ json }));
  await page.goto(`${url}/config/radius`);
};

export const radiusScreens: readonly BuiltScreen[] = [
  { name: 'radius-empty', as: 'newPerson', open: (page, { url }) => page.goto(`${url}/config/radius`) },
  { name: 'radius', as: 'owner', answered: true, open: (page, stage) => withClients(page, stage) },
  {
    name: 'radius-new',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/config/radius`);
      await page
        .getByRole('button', { name: t('radius.create') })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
];
