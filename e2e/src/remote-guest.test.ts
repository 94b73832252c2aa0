import type { WebSocketRoute } from 'playwright-core';
import { expect, it } from 'vitest';
import { texts } from './browser.ts';
import { remoteStage } from './remote-stage.ts';
import { offered, remoteSession } from './screens-remote.ts';

const stage = remoteStage('remote guest');
const t = texts('en');
const session = { id: remoteSession.id, page: 'p'.repeat(22) };
const answer = (data: object) => ({ json: { code: 2000, message: 'Success', data } });

it('shows the session of a link again after a reload, in its own tab only, and until it ends', async () => {
  const { context, page } = await stage.open();
  const hellos: object[] = [];
  let isUsed = false;
  let shown: WebSocketRoute | undefined;
  await context.route('**/api/v3/remote/link/look', (route) =>
    route.fulfill(isUsed ? { json: { code: 4013, message: 'Used', data: null } } : answer(offered('shell'))),
  );
  await context.route('**/api/v3/remote/link/open', (route) => {
    isUsed = true;
    return route.fulfill(answer(session));
  });
  await context.routeWebSocket('**/api/v3/remote/terminal*', (socket) => {
    socket.onMessage((message) => {
      if (typeof message !== 'string') return;
      const { link } = JSON.parse(message) as { link?: string };
      if (link !== undefined) hellos.push({ link });
    });
    const until = new Date(Date.now() + 3_000_000).toISOString();
    socket.send(JSON.stringify({ type: 'state', state: 'open', until, recorded: false }));
    socket.send(Buffer.from('Till-1 login: '));
    shown = socket;
  });
  const used = t('remote.link_is_used');

  await page.goto(stage.at(`/remote/link/${'A'.repeat(22)}`));
  await page.getByRole('button', { name: t('remote.link_open_session'), exact: true }).click();
  const rows = page.locator('.xterm-rows');
  await expect.poll(() => rows.innerText()).toContain('login:');
  await page.reload();
  await expect.poll(() => rows.innerText()).toContain('login:');
  await page.getByText('West-Lake', { exact: true }).waitFor();
  expect(hellos).toEqual([{ link: session.page }, { link: session.page }]);

  // it begins with a copy of this tab's storage
  const [copy] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => void open(location.href))]);
  await copy.getByText(used, { exact: true }).waitFor();
  expect(hellos).toHaveLength(2);

  shown!.send(JSON.stringify({ type: 'end', reason: 'closed', detail: null }));
  await page.getByText(t('remote.end_closed'), { exact: true }).waitFor();
  await page.reload();
  await page.getByText(used, { exact: true }).waitFor();
});
