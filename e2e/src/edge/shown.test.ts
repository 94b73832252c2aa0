import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { keepPicture, openPage, startBrowser, texts } from '../browser.ts';
import { type LabConsole, slowly, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';

const t = texts('en');
let labConsole: LabConsole;
let browser: Browser;
let page: Page;

labFixture(async (own) => {
  labConsole = own(await startLabConsole({ dhcpOnWans: true }));
  browser = await startBrowser();
  own({ stop: () => browser.close(), logText: () => keepPicture(page, 'edge-shown').then(() => '') });
  ({ page } = await openPage(browser, labConsole.url, 'en', 'dark', { token: labConsole.owner.token }));
  // time until the agent of an offline host is given up and returns
  page.setDefaultTimeout(slowly.timeout);
});

const line = { name: 'WAN', port: 'WAN1', dns: [], down_mbps: null, up_mbps: null, probe: [] };
const settings = (wan: object) => ({
  confirm_s: 60,
  lines: [{ ...line, ...wan }],
  forwards: [],
  routes: [],
  limits: [],
  reboot: null,
  networks: [
    {
      name: 'LAN',
      address: '192.168.8.1/24',
      vlan: null,
      ports: ['LAN1'],
      tagged: [],
      leases: [],
      pool: { first: '192.168.8.100', count: 50, lease_minutes: 60 },
    },
  ],
});
const dynamic = { addressing: 'dynamic', address: null, gateway: null };
const wrong = { addressing: 'static', address: '203.0.113.77/24', gateway: '203.0.113.1', dns: ['192.0.2.53'] };

it('shows each step of a box that is bound with the line of the page, its lines, and a trial that it returns from', async () => {
  const { ask, folder, lab, url } = labConsole;
  const { data: network } = await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Box' });
  const { gwid } = network;
  await page.goto(`${url}/waiting_devices`);
  await page.getByText(t('waiting.check_enrol_none')).waitFor();
  const shown = await page.locator('code').filter({ hasText: 'enroll.sh' }).first().innerText();
  expect(shown).toContain(`${url}/enroll.sh | sh -s -- `);
  await lab.run('gw', 'sh', '-c', `${shown.replace('| sh', `| ENROLL_ROOT=${folder} sh`)} ${gwid}`);
  const file = join(folder, 'etc/yunxun-edge/identity.json');
  const { serial } = JSON.parse(readFileSync(file, 'utf8')) as { serial: string };
  const address = lab.mac('gw', 'wan1');
  const step = (title: Parameters<typeof t>[0]) => page.locator('.checks > li').filter({ hasText: t(title) });
  await step('waiting.check_enrol').getByText(address).waitFor();
  await page.getByText(t('waiting.check_report_none')).waitFor();

  labConsole.startAgent();
  await step('waiting.check_tls').getByText(address).waitFor();
  await step('waiting.check_report').getByText(address).waitFor();
  await step('waiting.check_report')
    .getByRole('link', { name: t('waiting.open_network') })
    .click();

  await page.getByText(t('wan.no_lines')).waitFor();
  await labConsole.online(serial);
  const save = async (version: number, wan: object) => {
    const wanted = { gwid, version, settings: settings(wan) };
    const { data } = await ask<{ job_id: string }>('/api/v3/network/gateway/save', wanted);
    return data.job_id;
  };
  const itemsOf = async (job_id: string) =>
    (await ask<{ items: { status: string; reason: string | null }[] }>('/api/v3/job/detail', { job_id })).data.items;
  await labConsole.applied(await save(0, dynamic));
  const row = page.getByRole('row').filter({ hasText: 'WAN1' });
  await expect
    .poll(
      async () => {
        await ask('/api/v3/device/refresh', { serial });
        return (await row.count()) > 0 ? row.innerText() : '';
      },
      { timeout: slowly.timeout, interval: 1000 },
    )
    .toMatch(new RegExp(`${t('wan.line_up')}[^]*198\\.51\\.100\\.\\d+[^]*198\\.51\\.100\\.1\\b[^]*\\d ms`));
  expect(
    await page
      .locator('.facts')
      .filter({ hasText: t('networks.connections') })
      .innerText(),
  ).toMatch(/\d+ \/ [\d,]+/);

  const cut = await save(1, wrong);
  const trial = /^On trial 0:\d\d$/;
  expect(t('sync.trial', { time: '0:09' })).toMatch(trial);
  const head = page.locator('.page-head');
  const first = await head.getByText(trial).innerText();
  await expect.poll(() => head.getByText(trial).innerText(), { timeout: 40_000 }).not.toBe(first);
  await page.getByText(t('network.trial')).waitFor();
  await page.getByRole('button', { name: t('header.jobs') }).click();
  const drawer = page.getByRole('dialog');
  await drawer.locator('.job-line').first().click();
  await drawer.getByText(t('job_status.reverted')).waitFor();
  await drawer.getByText(/the console was not reached within 60 s/).waitFor();
  await page.keyboard.press('Escape');
  await head.getByText(t('sync.returned')).waitFor();
  await page.getByText(t('network.returned')).waitFor();
  await page
    .locator('.notice')
    .getByText(/the console was not reached within 60 s/)
    .waitFor();
  expect(await itemsOf(cut)).toMatchObject([{ status: 'reverted' }]);

  await page.getByRole('tab', { name: t('home.network_gateway') }).click();
  await page.getByText(t('network.returned_settings')).waitFor();
  await page.goto(`${labConsole.url}/network/gateway/${gwid}`);
  await page.getByText(t('network.returned_settings')).waitFor();
});
