// Of a gateway under our agent, which demos lack: `npx vitest run --config e2e/pictures.config.ts`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { pictured, takePicture } from '../album.ts';
import { openPage, startBrowser, type Text, texts } from '../browser.ts';
import { type LabConsole, slowly, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';
import { fullSettings } from './pictures-settings.ts';

let labConsole: LabConsole;
let browser: Browser;
const views: { page: Page; t: Text; suffix: string }[] = [];

labFixture(async (own) => {
  labConsole = own(await startLabConsole({ dhcpOnWans: true }));
  browser = await startBrowser();
  own({ stop: () => browser.close() });
  for (const { language, theme, suffix } of pictured) {
    const { page } = await openPage(browser, labConsole.url, language, theme, { token: labConsole.owner.token });
    views.push({ page, t: texts(language), suffix });
  }
});

interface Got {
  version: number;
  gates: string[];
}
interface Job {
  items: { status: string }[];
}

async function take(name: string, open: (page: Page, t: Text) => Promise<unknown>, height = 900): Promise<void> {
  for (const { page, t, suffix } of views) {
    await page.setViewportSize({ width: 1440, height });
    await open(page, t);
    await takePicture(page, name, suffix);
  }
}

const go = (path: string) => (page: Page) => page.goto(labConsole.url + path);

it('shows a box from its enrolment on, its settings, what it measures, and a trial that it returns from', async () => {
  const { ask, folder, lab, owner, url } = labConsole;
  const { gwid } = (await ask<{ gwid: string }>('/api/v3/network/create', { remark: '云栖客栈' })).data;
  await lab.run('gw', 'sh', '-c', labConsole.line(owner.bindingCode, gwid));
  const file = (name: string) => JSON.parse(readFileSync(join(folder, 'etc/yunxun-edge', name), 'utf8')) as unknown;
  const { serial } = file('identity.json') as { serial: string };
  const waiting = async (page: Page, t: Text) => {
    await page.goto(`${url}/waiting_devices`);
    await page.getByText(t('waiting.help')).click();
  };
  await take('waiting-box', waiting, 1240);
  labConsole.startAgent();
  await labConsole.online(serial);
  const reported = async (page: Page, t: Text) => {
    await page.goto(`${url}/waiting_devices`);
    await page.getByRole('link', { name: t('waiting.open_network') }).waitFor({ timeout: 180_000 });
  };
  await take('waiting-box-online', reported, 1240);
  await take('gateway-first', go(`/network/gateway/${gwid}`), 1500);

  const get = async () => (await ask<Got>('/api/v3/network/gateway/get', { gwid })).data;
  await expect.poll(async () => (await get()).gates, slowly).not.toContain('never_connected');
  // the host's kernel may lack VLANs
  const vlans = !(await get()).gates.includes('no_vlan');
  const ports = file('ports.json') as Record<string, string>;
  const portOf = (device: string) => Object.entries(ports).find(([, own]) => own === device)?.[0] ?? device;
  const settings = fullSettings(portOf, lab.mac('a'), vlans);
  const save = async (wanted: object) => {
    const { version } = await get();
    const { data } = await ask<{ job_id: string }>('/api/v3/network/gateway/save', { gwid, version, settings: wanted });
    return data.job_id;
  };
  await labConsole.applied(await save(settings));
  await traffic();
  await ask('/api/v3/device/refresh', { serial });

  const edit = async (page: Page) => {
    await page.goto(`${url}/network/gateway/${gwid}`);
    await page.getByRole('group', { name: 'Guest', exact: true }).waitFor();
  };
  await take('gateway', edit, 2960);
  await take('gateway-tab', go(`/network/${gwid}?tab=gateway`));
  const wrong = async (page: Page, t: Text) => {
    await edit(page);
    const guest = page.getByRole('group', { name: 'Guest', exact: true });
    await guest.getByLabel(t('gateway.pool_first')).fill('10.99.0.5');
    for (const add of ['gateway.add_forward', 'gateway.add_route'] as const)
      await page.getByRole('button', { name: t(add) }).click();
    await page.getByRole('button', { name: t('gateway.review') }).click();
    await page.locator('.field-error').first().waitFor();
  };
  await take('gateway-wrong', wrong, 3300);
  const change = async (page: Page, t: Text) => {
    await edit(page);
    const guest = page.getByRole('group', { name: 'Guest', exact: true });
    await guest.getByLabel(t('gateway.pool_first')).fill('10.8.0.50');
    const line = page.getByRole('group', { name: 'LTE', exact: true });
    await line.getByLabel(t('gateway.name')).fill('5G');
    await page.getByRole('button', { name: t('gateway.add_route') }).click();
    const route = page.getByRole('group', { name: t('gateway.route'), exact: true });
    await route.getByLabel(t('gateway.route_via')).fill('10.7.0.20');
    await route.getByLabel(t('gateway.route_to')).fill('10.30.0.0/16');
    await page.getByRole('button', { name: t('gateway.review') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('.gateway-diff').waitFor();
    await dialog.locator('summary').click();
  };
  await take('gateway-apply', change, 1100);

  const source = async () =>
    (await ask<{ app_source: string }>('/api/v3/user_stat/flow_model', { day: 30, gwid })).data.app_source;
  await expect.poll(source, slowly).not.toBe('none');
  await take('network-lines', go(`/network/${gwid}`), 1500);
  await take('home-gateway', go('/'), 2600);
  await take('terminals-gateway', go('/networks/online_users'));
  const terminal = async (page: Page) => {
    await page.goto(`${url}/networks/online_users`);
    await page.locator('tbody tr').filter({ hasText: 'lab-a' }).locator('.users-two').first().click();
    await page.getByRole('dialog').locator('.facts').first().waitFor();
  };
  await take('terminal-limit', terminal, 1100);
  const gateway = async (page: Page) => {
    await page.goto(`${url}/network/${gwid}?tab=devices&device=${serial}`);
    await page.getByRole('dialog').locator('.facts').first().waitFor();
  };
  await take('gateway-drawer', gateway, 1100);

  await lab.wan(2, 'silent');
  const lines = async () =>
    (await ask<{ lines: { alive: boolean | null }[] }>('/api/v3/network/detail', { gwid })).data.lines;
  await expect
    .poll(async () => {
      await ask('/api/v3/device/refresh', { serial });
      return (await lines()).filter(({ alive }) => alive === false).length;
    }, slowly)
    .toBe(1);
  await take('network-line-down', go(`/network/${gwid}`), 900);
  await lab.wan(2, 'mended');

  const cut = { addressing: 'static', address: '192.168.77.2/24', gateway: '192.168.77.1', dns: ['192.0.2.53'] };
  const [first] = settings.lines;
  const job = await save({ ...settings, confirm_s: 120, lines: [{ ...first, ...cut }] });
  const trial = async () =>
    (await ask<{ trial_until: string | null }>('/api/v3/network/detail', { gwid })).data.trial_until;
  await expect.poll(trial, slowly).not.toBeNull();
  await take('network-trial', go(`/network/${gwid}`));
  await take('gateway-trial', go(`/network/gateway/${gwid}`));
  const ends = async () =>
    (await ask<Job>('/api/v3/job/detail', { job_id: job })).data.items.map((item) => item.status);
  await expect.poll(ends, { ...slowly, timeout: 300_000 }).toEqual(['reverted']);
  await take('network-returned', go(`/network/${gwid}`));
  await take('gateway-returned', go(`/network/gateway/${gwid}`));
  const log = async (page: Page, t: Text) => {
    await page.goto(`${url}/logs/action`);
    const action = t('log_action.network.gateway.save');
    await page.getByRole('row').filter({ hasText: action }).first().click();
    await page.getByRole('dialog').waitFor();
  };
  await take('gateway-log', log);
});

async function traffic(): Promise<void> {
  const { lab } = labConsole;
  await lab.lease('a');
  await lab.lease('b');
  const [office, guest] = ['10.7.0.1', '10.8.0.1'];
  const uses = [
    ['a', office, 'http://cdn.googlevideo.com/bytes/3000000'],
    ['a', office, 'http://www.example.com/bytes/600000'],
    ['b', guest, 'https://v.douyin.com/bytes/2000000'],
    ['b', guest, 'http://cdn.steamcontent.com/bytes/900000'],
    ['b', guest, 'http://short.weixin.qq.com/bytes/300000'],
    ['b', guest, 'http://192.0.2.20:8080/bytes/150000'],
  ] as const;
  for (const [where, resolver, address] of uses) await lab.call(where, { url: address, resolver, timeoutS: 60 });
}
