import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { texts } from './browser.ts';
import { remoteStage } from './remote-stage.ts';
import { remoteSession, withRecording } from './screens-remote.ts';

const stage = remoteStage('replay');

for (const language of ['zh-CN', 'en'] as const)
  it(`plays a recording, seeks and saves it (${language})`, async () => {
    const t = texts(language);
    const { page, errors } = await stage.open(language, language === 'zh-CN' ? 'dark' : 'light');
    await page.setViewportSize({ width: 390, height: 844 });
    await withRecording(page);
    await page.goto(stage.at(`/remote/replay/${remoteSession.id}`));
    await page.getByText(t('remote.recording_cut_why'), { exact: true }).waitFor();
    const rows = page.locator('.xterm-rows');
    await expect.poll(() => rows.textContent()).toContain('login: root');
    // the pause of a minute takes two seconds
    await expect.poll(() => rows.textContent()).toContain('root@rack:~#');
    const play = page.getByRole('button', { name: t('remote.replay_play'), exact: true });
    await play.waitFor();
    const position = page.getByRole('slider', { name: t('remote.replay_position'), exact: true });
    await position.fill('500');
    await expect.poll(() => rows.textContent()).not.toContain('root@rack:~#');
    await expect.poll(() => rows.textContent()).toContain('login: root');
    await page.getByRole('switch', { name: t('remote.replay_shorten'), exact: true }).click();
    expect(await position.getAttribute('aria-valuetext')).toContain('1:00');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('remote.replay_save'), exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^Rack-Server-.*\.cast$/);
    const [head, ...events] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(head!)).toMatchObject({ version: 2, width: 100, height: 30 });
    expect(JSON.parse(events.at(-1)!)).toEqual([60, 'o', 'root@rack:~# ']);
    const panel = () =>
      page.locator('.xterm-viewport').evaluate((element) => getComputedStyle(element).backgroundColor);
    const before = await panel();
    const other = language === 'zh-CN' ? 'light' : 'dark';
    await page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme), other);
    await expect.poll(panel).not.toBe(before);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(errors).toEqual([]);
  });
