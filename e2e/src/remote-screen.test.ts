import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Page, WebSocketRoute } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { RfbDouble } from '../../packages/server/src/features/remote/testing/rfb.ts';
import { texts } from './browser.ts';
import { remoteStage } from './remote-stage.ts';
import { screenSession, withSessions } from './screens-remote.ts';

const stage = remoteStage('remote screen');
const sockets: Socket[] = [];
const servers: RfbDouble[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const { server } of servers.splice(0)) server.close();
});

const t = texts('en');

/** Opens a screen whose VNC server is `vnc`. */
async function screen(vnc: RfbDouble) {
  servers.push(vnc);
  vnc.server.listen(0, '127.0.0.1');
  await once(vnc.server, 'listening');
  const { port } = vnc.server.address() as AddressInfo;
  const visit = await stage.open();
  const { page } = visit;
  const heard: Record<string, unknown>[] = [];
  let route: WebSocketRoute | undefined;
  await withSessions(page);
  await page.routeWebSocket('**/api/v3/remote/terminal*', (opened) => {
    route = opened;
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('data', (data) => opened.send(data)).on('error', () => undefined);
    socket.once('close', () => opened.send(JSON.stringify({ type: 'end', reason: 'closed', detail: null })));
    opened.onMessage((message) => {
      if (typeof message === 'string') heard.push(JSON.parse(message));
      else socket.write(message);
    });
    const until = new Date(Date.now() + 3_000_000).toISOString();
    opened.send(JSON.stringify({ type: 'state', state: 'open', until }));
  });
  await page.goto(stage.at(`/remote/screen/${screenSession.id}`));
  return { ...visit, heard, send: (data: Buffer) => route!.send(data) };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Red, green and blue of the first pixel. */
const firstPixel = (page: Page) => () =>
  page.locator('.screen-box canvas').evaluate((element) => {
    const { data } = (element as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, 1, 1);
    return Array.from(data.subarray(0, 3));
  });

it('shows pictures, sends keys, and breaks no content policy', async () => {
  const vnc = new RfbDouble();
  const { page, errors, heard, send } = await screen(vnc);
  const pixel = firstPixel(page);
  await expect.poll(pixel).toEqual([0x10, 0x10, 0x10]);
  expect(heard[0]).toMatchObject({ token: stage.token() });
  await page.keyboard.press('Enter');
  await expect.poll(pixel).toEqual([0x77, 0x77, 0x77]);
  expect(vnc.keys).toEqual([0xff0d]);
  expect(heard).toContainEqual({ type: 'active' });

  // a JPEG part in Tight encoding, then the shape of the far pointer
  const jpeg = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(8, 4);
    const context = canvas.getContext('2d')!;
    context.fillStyle = 'rgb(0, 255, 0)';
    context.fillRect(0, 0, 8, 4);
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 1 });
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
  });
  const length = [(jpeg.length & 127) | 128, (jpeg.length >> 7) & 127];
  send(Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0, 4, 0, 0, 0, 7, 0x90, ...length, ...jpeg]));
  await expect.poll(async () => (await pixel())[1]).toBeGreaterThan(250);
  const shape = [...Array<number>(16).fill(255), 0xc0, 0xc0];
  send(Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 2, 0xff, 0xff, 0xff, 0x11, ...shape]));
  const canvas = page.locator('.screen-box canvas');
  await expect.poll(() => canvas.getAttribute('style')).toContain('data:');
  await canvas.hover();
  expect(await canvas.evaluate((element) => getComputedStyle(element).cursor)).toBe('default');

  await page.getByRole('switch', { name: t('remote.view_only') }).click();
  await canvas.click();
  await page.keyboard.press('a');
  await page.getByRole('switch', { name: t('remote.view_only') }).click();
  await button(page, t('remote.ctrl_alt_del')).click();
  await expect.poll(() => vnc.keys).toEqual([0xff0d, 0xffe3, 0xffe9, 0xffff]);

  const width = () => canvas.evaluate((element) => element.getBoundingClientRect().width);
  expect(await width()).toBeGreaterThan(100);
  await page.getByText(t('remote.screen_actual'), { exact: true }).click();
  await expect.poll(width).toBe(8);

  await button(page, t('remote.paste')).click();
  await page.getByLabel(t('remote.screen_paste_text'), { exact: true }).fill('two\nlines');
  expect(vnc.pasted).toEqual([]);
  await button(page, t('remote.screen_paste_send')).click();
  await expect.poll(() => vnc.pasted).toEqual(['two\nlines']);
  expect(errors).toEqual([]);
});

it('asks for the password of the screen, and says when it is refused', async () => {
  const { page, context } = await screen(new RfbDouble('right'));
  const field = page.getByLabel(t('remote.login_password'), { exact: true });
  await field.fill('right');
  await button(page, t('remote.login')).click();
  await expect.poll(firstPixel(page)).toEqual([0x10, 0x10, 0x10]);
  await context.close();

  const second = await screen(new RfbDouble('right'));
  await second.page.getByLabel(t('remote.login_password'), { exact: true }).fill('wrong');
  await button(second.page, t('remote.login')).click();
  const text = t('remote.end_detail', { text: t('remote.end_closed'), detail: 'wrong password' });
  await second.page.getByText(text, { exact: true }).waitFor();
});
