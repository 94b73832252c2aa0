import { readFileSync } from 'node:fs';
import type { WebSocketRoute } from 'playwright-core';
import { expect, it } from 'vitest';
import { texts } from './browser.ts';
import { remoteStage } from './remote-stage.ts';
import { remoteSession, withSessions } from './screens-remote.ts';

const stage = remoteStage('remote files');

const t = texts('en');
const script = Buffer.from('#!/bin/sh\necho up\n');

/** Serves files, and a terminal that shows nothing. */
function serve(route: WebSocketRoute, kept: Map<string, Buffer>): void {
  const say = (output: object) => route.send(JSON.stringify(output));
  let writing: { path: string; size: number; bytes: Buffer } | null = null;
  const write = (part: Buffer) => {
    if (!writing) return;
    writing.bytes = Buffer.concat([writing.bytes, part]);
    if (writing.bytes.length < writing.size) return;
    kept.set(writing.path, writing.bytes);
    writing = null;
    say({ type: 'done' });
  };
  const list = (path: string) => {
    const files = [...kept].filter(([name]) => name.slice(0, name.lastIndexOf('/')) === path);
    const entries = files.map(([name, bytes]) => ({
      name: name.slice(path.length + 1),
      type: 'file',
      size: bytes.length,
      modified: 1_790_000_000,
    }));
    const directory = { name: 'logs', type: 'directory', size: 0, modified: 1_790_000_000 };
    return { type: 'list', path, entries: path === '/root' ? [...entries, directory] : entries, more: false };
  };
  route.onMessage((message) => {
    if (typeof message !== 'string') return write(message);
    const input = JSON.parse(message) as { type: string; path: string; size: number; files?: true };
    if (input.files) return say({ type: 'ready' });
    if (input.type === 'list') return say(list(input.path === '' ? '/root' : input.path));
    if (input.type === 'write') {
      writing = { path: input.path, size: input.size, bytes: Buffer.alloc(0) };
      return say({ type: 'writing' });
    }
    const bytes = kept.get(input.path);
    if (input.type !== 'read') return;
    if (!bytes) return say({ type: 'failed', reason: 'denied', detail: null });
    say({ type: 'reading', name: 'up.sh', size: bytes.length });
    route.send(bytes);
    say({ type: 'done' });
  });
  const until = new Date(Date.now() + 3_000_000).toISOString();
  // the page's files take neither
  say({ type: 'state', state: 'open', until });
}

async function panel(phone: boolean) {
  const kept = new Map([['/root/up.sh', script]]);
  const visit = await stage.open('en', 'light', { phone });
  const { page } = visit;
  await withSessions(page);
  await page.routeWebSocket('**/api/v3/remote/terminal*', (route) => serve(route, kept));
  await page.goto(stage.at(`/remote/terminal/${remoteSession.id}`));
  await page.getByRole('button', { name: t('remote.files'), exact: true }).click();
  const files = page.getByRole('complementary', { name: t('remote.files_of', { name: remoteSession.target }) });
  await files.getByText('up.sh', { exact: true }).waitFor();
  return { ...visit, files, kept };
}

it('downloads, uploads, replaces after a question, and enters directories', async () => {
  const { page, files, kept, errors } = await panel(false);
  const downloading = page.waitForEvent('download');
  await files.getByRole('button', { name: t('remote.files_download_one', { name: 'up.sh' }) }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('up.sh');
  expect(readFileSync(await download.path()).equals(script)).toBe(true);
  const sent = Buffer.alloc(3_000_000, 'yunxun');
  const choose = (buffer: Buffer, name: string) =>
    files.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  await choose(sent, 'image.bin');
  await files.getByText('image.bin', { exact: true }).waitFor();
  expect(kept.get('/root/image.bin')?.equals(sent)).toBe(true);
  await choose(Buffer.from('new'), 'up.sh');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('remote.files_replace'), exact: true })
    .click();
  await expect.poll(() => kept.get('/root/up.sh')?.toString()).toBe('new');
  await files.getByRole('button', { name: 'logs', exact: true }).click();
  await files.getByText(t('remote.files_empty'), { exact: true }).waitFor();
  await files.getByRole('button', { name: t('remote.files_up'), exact: true }).click();
  await files.getByText('image.bin', { exact: true }).waitFor();
  kept.delete('/root/image.bin');
  await files.getByRole('button', { name: t('remote.files_download_one', { name: 'image.bin' }) }).click();
  await files.getByText(t('remote.files_reason_denied'), { exact: true }).waitFor();
  expect(errors).toEqual([]);
});

it('takes the place of the terminal on a phone', async () => {
  const { page, files } = await panel(true);
  const { x, width } = (await files.boundingBox())!;
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(360);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expect.poll(() => page.locator('.terminal-box').isVisible()).toBe(false);
  await files.getByRole('button', { name: t('action.close'), exact: true }).click();
  await expect.poll(() => page.locator('.terminal-box').isVisible()).toBe(true);
});
