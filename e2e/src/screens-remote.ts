import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

export const remoteSession = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90c01',
  gwid: '7c9e6679-7425-40de-944b-e07fc1f90ae8',
  network: 'West-Lake',
  serial: '90b3d8000001',
  peripheral_id: null,
  target: 'Lobby-AP',
  kind: 'shell',
  purpose: 'Look at the uplink',
  user: 'noc@example.org',
  guest: null,
  mine: true,
  state: 'open',
  created_at: new Date(Date.now() - 300_000).toISOString(),
  connected_at: new Date(Date.now() - 299_000).toISOString(),
  ended_at: null,
  end_reason: null,
  bytes_up: 120,
  bytes_down: 48_200,
};

export const screenSession = {
  ...remoteSession,
  id: '7c9e6679-7425-40de-944b-e07fc1f90c03',
  peripheral_id: '7c9e6679-7425-40de-944b-e07fc1f90d01',
  target: 'Till-1',
  kind: 'vnc',
  purpose: 'Restart the till program',
};

const ended = {
  ...remoteSession,
  id: '7c9e6679-7425-40de-944b-e07fc1f90c02',
  target: 'Rack-Server',
  kind: 'ssh',
  mine: false,
  state: 'ended',
  ended_at: new Date().toISOString(),
  end_reason: 'idle',
};

const answer = (page: Page, path: string, data: object) =>
  page.route(`**/api/v3/remote/${path}`, (route) => route.fulfill({ json: { code: 2000, message: 'Success', data } }));

export async function withSessions(page: Page): Promise<void> {
  await answer(page, 'list', { list: [remoteSession, screenSession, ended], total: 3 });
  await answer(page, 'settings', { enabled: true, version: 2 });
}

const withList = async (page: Page, { url }: Stage) => {
  await withSessions(page);
  await page.goto(`${url}/remote`);
};

const withTerminal = async (page: Page, { t, url }: Stage) => {
  await withSessions(page);
  await page.routeWebSocket('**/api/v3/remote/terminal*', (socket) => {
    const until = new Date(Date.now() + 3_000_000).toISOString();
    socket.send(JSON.stringify({ type: 'state', state: 'open', until }));
    socket.send(Buffer.from('Lobby-AP login: '));
  });
  await page.goto(`${url}/remote/terminal/${remoteSession.id}`);
  await page.getByText(t('remote.link_open'), { exact: true }).waitFor();
};

export const remoteScreens: readonly BuiltScreen[] = [
  { name: 'remote-empty', as: 'newPerson', open: (page, { url }) => page.goto(`${url}/remote`) },
  { name: 'remote', as: 'owner', answered: true, open: withList },
  { name: 'remote-terminal', page: true, as: 'owner', answered: true, open: withTerminal },
];
