import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';
import { answers } from './screens-sign-in.ts';

const images = '/logs/upgrade?tab=images';
const image = {
  version: 'openwrt-v5.2.0',
  name: 'openwrt-v5.2.0.bin',
  sha256: 'a'.repeat(64),
  signed: false,
  ready: true,
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  source: 'upload',
  uri: null,
  size: 14_680_064,
  devices: 12,
  other: 9,
  models: ['EAP101', 'EAP102'],
  created_by: 'owner@demo.example',
  created_at: '2026-11-20T08:00:00Z',
};
const device = (at: number) => ({
  serial: `00000000000${at}`,
  name: `AP-${at}`,
  gwid: null,
  network: 'A',
  model: at % 2 ? 'EAP101' : 'EAP102',
  from: 'openwrt-v5.1.0',
  online: at !== 7,
  wave: at === 1 ? 0 : 1,
});

const failed = {
  id: '1',
  time: '2026-11-28T10:00:00Z',
  serial: '000000000001',
  name: 'AP-1',
  gwid: null,
  network: 'West Lake',
  action: 'upgrade',
  from_version: 'openwrt-v5.1.0',
  to_version: 'openwrt-v5.2.0',
  trigger: 'user',
  operator: 'li@example.com',
  result: 'failed',
  reason: 'download failed: HTTP 404',
  seconds: null,
  job_id: null,
};

const withImage = async (page: Page, { url }: Stage) => {
  const answer = (data: unknown) => ({ json: { code: 2000, message: 'Success', data } });
  await page.route('**/api/v3/firmware/image/list', (route) => route.fulfill(answer({ list: [image], total: 1 })));
  const devices = [1, 2, 3, 4, 5, 6, 7].map(device);
  await page.route('**/api/v3/firmware/upgrade/preview', (route) =>
    route.fulfill(answer({ devices, left_out: [], beyond: 0 })),
  );
  await page.goto(url + images);
};

export const firmwareScreens: readonly BuiltScreen[] = [
  { name: 'upgrade-log', as: 'owner', open: (page, { url }) => page.goto(`${url}/logs/upgrade`) },
  {
    name: 'upgrade-log-failed',
    as: 'owner',
    async open(page, { url }) {
      const list = [failed, { ...failed, id: '2', result: 'success', reason: null, seconds: 214 }];
      await answers(page, 'log/upgrade/list', 2000, { list, total: list.length });
      await page.goto(`${url}/logs/upgrade`);
      await page.getByText(failed.to_version).first().waitFor();
    },
  },
  { name: 'firmware-empty', as: 'newPerson', open: (page, { url }) => page.goto(url + images) },
  { name: 'firmware', as: 'owner', open: withImage },
  {
    name: 'firmware-add',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(url + images);
      await page
        .getByRole('button', { name: t('firmware.add') })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'firmware-plan',
    as: 'owner',
    async open(page, stage) {
      await withImage(page, stage);
      await page
        .locator('tbody')
        .getByRole('button', { name: stage.t('action.more') })
        .click();
      await page.getByRole('menuitem', { name: stage.t('firmware.upgrade') }).click();
      await page.getByRole('dialog').getByText('AP-1').waitFor();
    },
  },
  {
    name: 'restart-plan',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/logs/upgrade`);
      await page
        .getByRole('button', { name: t('firmware.restart') })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
];
