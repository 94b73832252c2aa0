import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const gwid = '7c9e6679-7425-40de-944b-e07fc1f90ae8';
const list = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90b11',
  name: 'Example-List',
  category: 'malware',
  domains: 2431,
  url: 'https://lists.example/malware.txt',
  sha256: 'ab'.repeat(32),
  error: null,
  fetched_at: new Date(Date.now() - 7_200_000).toISOString(),
  checked_at: new Date().toISOString(),
};
const check = (name: string, points: number, max: number) => ({ check: name, points, most: max });
const settings = [
  {
    gwid,
    name: 'West-Lake',
    mode: 'block',
    categories: ['malware', 'own'],
    redirect: false,
    domains: 2440,
    state: 'enforced',
    reason: null,
    score: 65,
    checks: [check('enforced', 40, 40), check('malware', 15, 15), check('phishing', 0, 15), check('fresh', 10, 10)],
  },
  {
    gwid: '7c9e6679-7425-40de-944b-e07fc1f90ae9',
    name: 'East-Gate',
    mode: 'off',
    categories: [],
    redirect: false,
    domains: null,
    state: 'off',
    reason: 'no_gateway',
    score: 0,
    checks: [],
  },
  ...(['not_asked', 'not_refusing'] as const).map((reason, at) => ({
    gwid: `7c9e6679-7425-40de-944b-e07fc1f90af${at}`,
    name: `Hall-${at}`,
    mode: 'block',
    categories: ['own'],
    redirect: true,
    domains: 9,
    state: 'waiting',
    reason,
    score: 25,
    checks: [check('enforced', 0, 40)],
  })),
  {
    gwid: '7c9e6679-7425-40de-944b-e07fc1f90afa',
    name: 'Old-Agent',
    mode: 'block',
    categories: ['own'],
    redirect: false,
    domains: 9,
    state: 'not_possible',
    reason: 'ability',
    score: 0,
    checks: [],
  },
];
const day = (at: number) => new Date(Date.now() - (29 - at) * 86_400_000).toISOString().slice(0, 10);
const briefing = {
  as_of: new Date().toISOString(),
  blocked: { today: 42, week: 318, month: 1204 },
  monitored: 7,
  by_day: Array.from({ length: 30 }, (_, at) => ({ day: day(at), blocked: 20 + ((at * 7) % 31), monitored: at % 4 })),
  counted_from: `${day(0)}T00:00:00.000Z`,
  top_domains: [{ domain: 'bad.example', category: 'malware', queries: 208 }],
  top_terminals: [{ mac: '02000000000a', gwid, network: 'West-Lake', queries: 190 }],
  networks: [{ gwid, name: 'West-Lake', queries: 318 }],
  categories: [{ category: 'malware', queries: 318 }],
  unprotected: [{ gwid: settings[1]!.gwid, name: 'East-Gate', state: 'off', reason: null }],
  unprotected_total: 1,
  protected_total: 1,
  lists: [list],
};
const answers: Readonly<Record<string, unknown>> = {
  'setting/list': { list: settings, total: settings.length },
  'own/detail': { domains: ['games.example'], saved_at: new Date().toISOString() },
  'list/list': { list: [list], total: 1 },
  briefing,
};

const answered = async (page: Page, { url }: Stage, tab = '') => {
  for (const [path, data] of Object.entries(answers))
    await page.route(`**/api/v3/cloud_security/${path}`, (route) =>
      route.fulfill({ json: { code: 2000, message: 'Success', data } }),
    );
  await page.goto(`${url}/cloud_security/index${tab}`);
};

export const shieldScreens: readonly BuiltScreen[] = [
  { name: 'shield-empty', as: 'newPerson', open: (page, { url }) => page.goto(`${url}/cloud_security/index`) },
  { name: 'shield', as: 'owner', answered: true, open: (page, stage) => answered(page, stage) },
  {
    name: 'shield-briefing',
    as: 'owner',
    answered: true,
    open: (page, stage) => answered(page, stage, '?tab=briefing'),
  },
  {
    name: 'shield-allow',
    as: 'owner',
    open: (page, { url }) => page.goto(`${url}/cloud_security/index?tab=allowlist`),
  },
  {
    name: 'shield-policy',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await answered(page, stage);
      await page.getByRole('button', { name: stage.t('shield.edit', { name: 'West-Lake' }), exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
];
