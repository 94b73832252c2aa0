import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const end = Date.parse('2026-11-21T10:00:00Z');
const at = (hours: number) => new Date(end - hours * 3_600_000).toISOString();
const span = { as_of: at(0), from: at(24), to: at(0) };
const hours = Array.from({ length: 24 }, (_, hour) => hour);
const category = (name: string, gigabytes: number) => {
  const values = hours.map((hour) => Math.round(gigabytes * 1e9 * (1 + Math.sin(hour / 4))));
  const all = values.reduce((sum, value) => sum + value, 0);
  return { name, down: Math.round(all * 0.9), up: all - Math.round(all * 0.9), uses: 100 * gigabytes, values };
};
const row = (key: string, name: string, gigabytes: number) => ({
  key,
  name,
  down: gigabytes * 1e9,
  up: gigabytes * 1e8,
  uses: 100 * gigabytes,
});
const clients = [row('00005e005301', 'Front-desk', 41), row('00005e005302', '<b>Laptop</b>', 7)];

const answers = ({ gwid, remark }: Stage) => ({
  sources: {
    as_of: at(0),
    networks: 12,
    total: 1,
    list: [{ gwid, network: remark, kind: 'edge', since: at(500), last_at: at(0) }],
  },
  series: {
    ...span,
    step_s: 3600,
    compare: { now: 48e9, before: 40e9 },
    categories: [
      category('Video', 34),
      category('HTTP', 24),
      category('IM', 9),
      category('Common', 9),
      category('Game', 6),
      category('Download', 6),
      category('Unknown', 3),
      category('Test', 1),
    ],
  },
  top: { ...span, list: clients, total: 211, sum: { down: 60e9, up: 6e9, uses: 5000 } },
});

async function answer(page: Page, stage: Stage): Promise<void> {
  const reported = answers(stage);
  await page.route('**/api/v3/flow/*', (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) as keyof typeof reported;
    return route.fulfill({ json: { code: 2000, message: '', data: reported[name] } });
  });
}

async function monitor(page: Page, stage: Stage, rest = ''): Promise<void> {
  await answer(page, stage);
  await page.goto(`${stage.url}/flow_monitor${rest}`);
  await page.getByRole('heading', { name: stage.t('flow.sources'), exact: true }).waitFor();
  await page.getByRole('button', { name: 'Front-desk', exact: true }).waitFor();
}

export const flowScreens: readonly BuiltScreen[] = [
  {
    name: 'flow-monitor-none',
    as: 'newPerson',
    async open(page, { t, url }) {
      await page.goto(`${url}/flow_monitor`);
      await page.getByText(t('flow.none'), { exact: true }).waitFor();
    },
  },
  { name: 'flow-monitor', as: 'owner', answered: true, open: monitor },
  {
    name: 'flow-monitor-narrowed',
    as: 'owner',
    answered: true,
    open: (page, stage) => monitor(page, stage, `/${stage.gwid}?category=Video&mac=00005e005301`),
  },
  {
    name: 'flow-monitor-failed',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await answer(page, stage);
      await page.route('**/api/v3/flow/series', (route) => route.abort());
      await page.goto(`${stage.url}/flow_monitor`);
      await page.getByText(stage.t('empty.failed'), { exact: true }).first().waitFor();
    },
  },
];
