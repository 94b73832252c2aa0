import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { keepPicture, openPage, startBrowser, type Visit } from '../browser.ts';
import { type LabConsole, slowly, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';
import { startRemoteBox } from './remote-box.ts';

/** A real VNC server behind a real box, seen in Chromium through a real console. */

const password = 'lab word';
let lab: LabConsole;
let browser: Browser;
let peripheral = '';
let visit: Visit | undefined;

labFixture(async (own) => {
  lab = own(await startLabConsole({ dhcpOnWans: true, settings: { YUNXUN_REMOTE_PORT: '0' } }));
  const started = await startBrowser();
  own({ stop: () => started.close(), logText: async () => '' });
  browser = started;
  peripheral = '';
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(visit?.page, `remote screen ${task.name}`);
  await visit?.context.close();
  visit = undefined;
});

async function joined(): Promise<void> {
  if (peripheral !== '') return;
  const box = await startRemoteBox(lab);
  const at = (name: string) => join(lab.lab.folder, name);
  writeFileSync(at('vnc.password'), execFileSync('tigervncpasswd', ['-f'], { input: password }));
  const server = ['-interface', box.device, '-rfbport', '5900', '-SecurityTypes', 'VncAuth', '-geometry', '800x600'];
  lab.lab.start('a', 'Xvnc', [':7', ...server, '-PasswordFile', at('vnc.password'), '-listen', 'tcp', '-ac']);
  const listens = async () => (await lab.lab.try('a', 'ss', '-Hltn', 'sport = :5900')).stdout;
  await expect.poll(listens, slowly).toContain(box.device);
  lab.lab.start('a', 'xterm', ['-display', `${box.device}:7`, '-bg', '#204060', '-e', 'sh']);
  peripheral = await box.register({ name: 'Till', type: 'server', screen_port: 5900 });
}

async function shown() {
  await joined();
  const asked = { peripheral_id: peripheral, kind: 'vnc', purpose: 'Look', cols: 80, rows: 24 };
  const { id } = (await lab.ask<{ id: string }>('/api/v3/remote/open', asked)).data;
  visit = await openPage(browser, lab.url, 'en', 'light', { token: lab.owner.token });
  const { page } = visit;
  await page.goto(`${lab.url}/remote/screen/${id}`);
  return { page, id };
}

it('refuses a wrong password', async () => {
  const { page } = await shown();
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Authentication fail', { exact: false }).waitFor();
});

it('shows the screen of the host, and types on it', async () => {
  const { page, id } = await shown();
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.keyboard.press('Enter');
  const canvas = page.locator('.screen-box canvas');
  const looks = () =>
    canvas.evaluate((element) => {
      const { width, height } = element as HTMLCanvasElement;
      const pixels = (element as HTMLCanvasElement).getContext('2d')!.getImageData(100, 100, 1, 1).data;
      return [width, height, ...pixels];
    });
  await expect.poll(looks, slowly).toEqual([800, 600, 0x20, 0x40, 0x60, 255]);
  const made = join(lab.lab.folder, 'typed');
  await canvas.click();
  await page.keyboard.type(`: > "${made}"\n`);
  await expect.poll(() => existsSync(made), slowly).toBe(true);
  // the lab's console has no TLS
  expect(visit!.errors.filter((line) => !line.includes('secure context'))).toEqual([]);
  await lab.ask('/api/v3/remote/end', { id });
  await page.getByRole('status').getByText('ended', { exact: false }).waitFor();
});
