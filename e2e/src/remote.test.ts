import type { WebSocketRoute } from 'playwright-core';
import { expect, it } from 'vitest';
import { texts, type Visit } from './browser.ts';
import { remoteStage } from './remote-stage.ts';
import { remoteSession, screenSession, withSessions } from './screens-remote.ts';

const stage = remoteStage('remote');

const t = texts('en');

interface Terminal extends Visit {
  texts: Record<string, unknown>[];
  typed(): string;
  socket(): WebSocketRoute;
}

/** Opens a terminal whose server is this test; it echoes what is typed. */
async function terminal(theme: 'light' | 'dark' = 'light', phone = false): Promise<Terminal> {
  const opened = await stage.open('en', theme, { phone });
  const heard: Record<string, unknown>[] = [];
  let typed = '';
  let socket: WebSocketRoute | undefined;
  await withSessions(opened.page);
  await opened.page.routeWebSocket('**/api/v3/remote/terminal*', (route) => {
    socket = route;
    route.onMessage((message) => {
      if (typeof message === 'string') heard.push(JSON.parse(message));
      else {
        typed += message.toString();
        route.send(message);
      }
    });
    const until = new Date(Date.now() + 3_000_000).toISOString();
    route.send(JSON.stringify({ type: 'state', state: 'open', until }));
    route.send(Buffer.from('Lobby-AP login: '));
  });
  await opened.page.goto(stage.at(`/remote/terminal/${remoteSession.id}`));
  await opened.page.getByText(t('remote.link_open'), { exact: true }).waitFor();
  return { ...opened, texts: heard, typed: () => typed, socket: () => socket! };
}

it('shows what the device writes, in columns, without breaking the content policy', async () => {
  const { page, errors, texts: heard, typed, socket } = await terminal();
  const rows = page.locator('.xterm-rows');
  await expect.poll(() => rows.innerText()).toContain('Lobby-AP login:');
  expect(heard[0]).toMatchObject({ token: stage.token(), cols: expect.any(Number), rows: expect.any(Number) });
  await page.keyboard.type('root');
  await expect.poll(typed).toBe('root');
  await expect.poll(() => rows.innerText()).toContain('login: root');
  socket().send(Buffer.from('\r\n\x1b[31mred\x1b[0m 中文|\r\nabcd|'));
  await expect.poll(() => rows.innerText()).toContain('中文');
  const rights = await page.evaluate(() => {
    const lines = [...document.querySelectorAll('.xterm-rows > div')].map((line) => line.textContent ?? '');
    return lines.filter((line) => line.includes('|')).map((line) => line.trim());
  });
  expect(rights).toEqual([expect.stringContaining('中文|'), 'abcd|']);
  const colours = await page.evaluate(() => {
    const red = [...document.querySelectorAll('.xterm-rows span')].find((span) => span.textContent?.includes('red'));
    return [getComputedStyle(red!).color, getComputedStyle(document.querySelector('.xterm-rows')!).fontFamily];
  });
  expect(colours[0]).not.toBe('rgb(22, 27, 34)');
  expect(colours[1]).toContain('monospace');
  await page.setViewportSize({ width: 900, height: 600 });
  await expect.poll(() => heard.filter(({ type }) => type === 'size').length).toBeGreaterThan(0);
  expect(errors).toEqual([]);
});

it('follows a change of theme', async () => {
  const { page, socket } = await terminal('light');
  socket().send(Buffer.from('\x1b[31mred\x1b[0m'));
  await expect.poll(() => page.locator('.xterm-rows').innerText()).toContain('red');
  const colours = () =>
    page.evaluate(() => {
      const red = [...document.querySelectorAll('.xterm-rows span')].find((span) => span.textContent === 'red')!;
      return [
        getComputedStyle(document.querySelector('.xterm-viewport')!).backgroundColor,
        getComputedStyle(red).color,
      ];
    });
  const [panel, red] = await colours();
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
  await expect.poll(async () => (await colours())[0]).not.toBe(panel);
  await expect.poll(async () => (await colours())[1]).not.toBe(red);
});

it('asks before a line break is pasted', async () => {
  const { page, typed } = await terminal('dark');
  await expect.poll(() => page.locator('.xterm-rows').innerText()).toContain('login:');
  const paste = (text: string) =>
    page.evaluate((pasted) => {
      const data = new DataTransfer();
      data.setData('text/plain', pasted);
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector('.xterm-helper-textarea')!.dispatchEvent(event);
    }, text);
  await paste('uptime');
  await expect.poll(typed).toBe('uptime');
  await paste('reboot\nhalt\n');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(t('remote.paste_title', { n: 2 }), { exact: true }).waitFor();
  await dialog.getByRole('button', { name: t('action.cancel'), exact: true }).click();
  expect(typed()).toBe('uptime');
  await paste('reboot\nhalt\n');
  await dialog.getByRole('button', { name: t('remote.paste'), exact: true }).click();
  await expect.poll(typed).toContain('reboot\rhalt\r');
  await paste('reboot\n');
  await dialog.getByText(t('remote.paste_title', { n: 1 }), { exact: true }).waitFor();
  await dialog.getByRole('button', { name: t('action.cancel'), exact: true }).click();
  expect(typed()).not.toContain('reboot\rhalt\rreboot');
});

it('has the keys on a phone that its keyboard lacks', async () => {
  const { page, typed, errors } = await terminal('dark', true);
  const key = (name: 'esc' | 'ctrl' | 'up' | 'pipe') =>
    page.getByRole('button', { name: t(`remote.touch_${name}`), exact: true });
  await expect.poll(() => page.locator('.xterm-rows').innerText()).toContain('login:');
  await key('ctrl').tap();
  await expect.poll(() => key('ctrl').getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.type('cx');
  await expect.poll(typed).toBe('\x03x');
  expect(await key('ctrl').getAttribute('aria-pressed')).toBe('false');
  for (const name of ['esc', 'up', 'pipe'] as const) await key(name).tap();
  await expect.poll(typed).toBe('\x03x\x1b\x1b[A|');
  expect(await page.evaluate(() => document.activeElement?.className)).toContain('xterm');
  const box = (await key('pipe').boundingBox())!;
  expect(box.height).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(errors).toEqual([]);
});

it('returns after a lost connection, signs in to a host, and says why a session ended', async () => {
  const { page, texts: heard, socket } = await terminal();
  await socket()
    .close({ code: 1006 })
    .catch(() => undefined);
  await expect.poll(() => heard.filter((one) => 'token' in one).length).toBe(2);
  await page.getByText(t('remote.link_open'), { exact: true }).waitFor();
  socket().send(JSON.stringify({ type: 'host_key', known: null, offered: 'SHA256:first' }));
  await page.getByRole('button', { name: t('remote.key_trust_first'), exact: true }).waitFor();
  socket().send(JSON.stringify({ type: 'signed_in', user: 'admin' }));
  await page.getByText(t('remote.signed_in', { user: 'admin' }), { exact: true }).waitFor();
  socket().send(JSON.stringify({ type: 'login', again: false, refused: 'admin' }));
  await page.getByText(t('remote.login_refused', { user: 'admin' }), { exact: true }).waitFor();
  await page.getByLabel(t('remote.login_user'), { exact: true }).fill('root');
  await page.getByLabel(t('remote.login_password'), { exact: true }).fill('secret-1');
  await page.getByRole('button', { name: t('remote.login'), exact: true }).click();
  await expect.poll(() => heard).toContainEqual({ type: 'login', user: 'root', password: 'secret-1' });
  socket().send(JSON.stringify({ type: 'host_key', known: 'SHA256:old', offered: 'SHA256:new' }));
  socket().send(JSON.stringify({ type: 'end', reason: 'host_key', detail: null }));
  await page.getByText('SHA256:new', { exact: true }).waitFor();
  await page.getByText(t('remote.end_host_key'), { exact: true }).waitFor();
  await page.getByRole('button', { name: t('remote.open_again'), exact: true }).waitFor();
});

it('asks before it is turned off, which ends the open sessions', async () => {
  const { page } = await stage.open();
  const saved: unknown[] = [];
  await withSessions(page);
  await page.route('**/api/v3/remote/settings/save', (route) => {
    saved.push(route.request().postDataJSON());
    return route.fulfill({ json: { code: 2000, message: 'Success', data: { version: 3 } } });
  });
  await page.goto(stage.at(`/remote`));
  await page.getByText(t('remote.record_state', { n: 90 }), { exact: true }).waitFor();
  await page.getByRole('button', { name: t('remote.settings'), exact: true }).click();
  await page.getByRole('switch', { name: t('remote.enabled'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(t('remote.forbid_body', { n: 3 }), { exact: true }).waitFor();
  expect(saved).toEqual([]);
  await dialog.getByRole('button', { name: t('remote.forbid'), exact: true }).click();
  await expect.poll(() => saved).toEqual([expect.objectContaining({ enabled: false })]);
});

it('opens a session from its own page, by a kind that has a port', async () => {
  const { page } = await stage.open();
  const opened: unknown[] = [];
  const hit = {
    kind: 'peripheral',
    id: screenSession.peripheral_id,
    title: 'Camera-3',
    detail: null,
    type: null,
    gwid: null,
    network: 'West-Lake',
    status: null,
    match: 'start',
  };
  await withSessions(page);
  const answer = (path: string, data: object) =>
    page.route(`**/api/v3/${path}`, (route) => route.fulfill({ json: { code: 2000, message: 'Success', data } }));
  await answer('search/query', { list: [hit], total: 1 });
  await answer('remote/targets', {
    name: 'Camera-3',
    network: 'West-Lake',
    list: [
      { kind: 'ssh', reason: 'no_port' },
      { kind: 'telnet', reason: 'no_port' },
      { kind: 'web', reason: null },
    ],
    waits_for_key: false,
  });
  await page.route('**/api/v3/remote/open', (route) => {
    opened.push(route.request().postDataJSON());
    return route.fulfill({ json: { code: 2000, message: 'Success', data: { id: remoteSession.id } } });
  });
  await page.goto(stage.at('/remote'));
  await page.getByRole('button', { name: t('remote.open_any'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  const open = dialog.getByRole('button', { name: t('remote.open_session'), exact: true });
  await open.click();
  expect(await dialog.getByText(t('validation.required'), { exact: true }).count()).toBe(2);
  await dialog.getByLabel(t('remote.link_search'), { exact: true }).fill('cam');
  const target = dialog.getByLabel(t('remote.target'), { exact: true });
  await target.selectOption({ label: t('remote.tab', { target: 'Camera-3', kind: 'West-Lake' }) });
  const kind = dialog.getByLabel(t('remote.kind'), { exact: true });
  expect(await kind.inputValue()).toBe('web');
  const ssh = kind.getByRole('option', { name: t('remote.kind_no_port', { kind: 'SSH' }), exact: true });
  expect(await ssh.isDisabled()).toBe(true);
  await dialog.getByText(t('remote.reason_no_port'), { exact: true }).waitFor();
  await dialog.getByLabel(t('remote.purpose'), { exact: true }).fill('Look at the lens');
  await open.click();
  await expect.poll(() => opened).toMatchObject([{ peripheral_id: hit.id, kind: 'web', purpose: 'Look at the lens' }]);
});
