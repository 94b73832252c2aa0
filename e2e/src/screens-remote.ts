import { deflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { recordedEvent } from '../../packages/contract/src/remote-recording.ts';
import { SimulatedScreen } from '../../packages/simulator/src/remote/screen.ts';
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
  recording: 'off',
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
  recording: 'kept',
};

const link = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90e01',
  gwid: remoteSession.gwid,
  network: remoteSession.network,
  target: 'Till-1',
  kind: 'vnc',
  guest: 'Li Wei',
  purpose: 'Restart the till program',
  user: remoteSession.user,
  state: 'open',
  created_at: remoteSession.created_at,
  until: new Date(Date.now() + 3_600_000).toISOString(),
  opened_at: null,
  active: false,
};

const answer = (page: Page, path: string, data: object) =>
  page.route(`**/api/v3/remote/${path}`, (route) => route.fulfill({ json: { code: 2000, message: 'Success', data } }));

export async function withSessions(page: Page): Promise<void> {
  await answer(page, 'list', { list: [remoteSession, screenSession, ended], total: 3 });
  await answer(page, 'settings', { enabled: true, record: true, record_days: 90, version: 2 });
}

const withList = async (page: Page, { url }: Stage) => {
  await withSessions(page);
  await page.goto(`${url}/remote`);
};

const withTerminal = async (page: Page, { t, url }: Stage) => {
  await withSessions(page);
  await page.routeWebSocket('**/api/v3/remote/terminal*', (socket) => {
    const until = new Date(Date.now() + 3_000_000).toISOString();
    socket.send(JSON.stringify({ type: 'state', state: 'open', until, recorded: true }));
    socket.send(Buffer.from('Lobby-AP login: '));
  });
  await page.goto(`${url}/remote/terminal/${remoteSession.id}`);
  await page.getByText(t('remote.link_open'), { exact: true }).waitFor();
};

const withLinks = async (page: Page, { url }: Stage) => {
  await withSessions(page);
  const used = { ...link, id: '7c9e6679-7425-40de-944b-e07fc1f90e02', state: 'used', opened_at: link.created_at };
  await answer(page, 'link/list', { list: [link, { ...used, active: true }], total: 2 });
  await page.goto(`${url}/remote?tab=links`);
};

/** What a link shows before it is opened. */
export function offered(kind: string) {
  const { target, network, guest, purpose, until } = link;
  return { account_name: 'West-Lake Shops', target, network, kind, guest, purpose, until, recorded: false };
}

const withGuest = async (page: Page, { url }: Stage) => {
  await answer(page, 'link/look', offered(link.kind));
  await page.goto(`${url}/remote/link/${'A'.repeat(22)}`);
};

const withScreen = async (page: Page, { t, url }: Stage) => {
  await withSessions(page);
  await page.routeWebSocket('**/api/v3/remote/terminal*', (socket) => {
    const till = new SimulatedScreen();
    till.on('data', (part: Buffer) => socket.send(part));
    socket.onMessage((message) => {
      if (typeof message !== 'string') till.write(message);
    });
    const until = new Date(Date.now() + 3_000_000).toISOString();
    socket.send(JSON.stringify({ type: 'state', state: 'open', until, recorded: false }));
  });
  await page.goto(`${url}/remote/screen/${screenSession.id}`);
  await page.getByText(t('remote.ctrl_alt_del'), { exact: true }).waitFor();
};

/** A login at once, and its prompt a minute later. */
export async function withRecording(page: Page): Promise<void> {
  const events = [
    recordedEvent({ at: 0, size: { cols: 100, rows: 30 } }),
    recordedEvent({ at: 0, output: Buffer.from('Rack-Server login: root\r\n') }),
    recordedEvent({ at: 60_000, output: Buffer.from('root@rack:~# ') }),
  ];
  const { target, kind, user, guest, purpose, connected_at, ended_at } = ended;
  await answer(page, 'recording/replay', {
    target,
    kind,
    user,
    guest,
    purpose,
    started_at: connected_at,
    ended_at,
    cut: true,
    parts: [deflateRawSync(Buffer.concat(events)).toString('base64')],
  });
}

const withReplay = async (page: Page, { t, url }: Stage) => {
  await withRecording(page);
  await page.goto(`${url}/remote/replay/${ended.id}`);
  // it has come to its end
  await page.getByRole('button', { name: t('remote.replay_play'), exact: true }).waitFor();
  await page.getByText('root@rack:~#').waitFor();
};

export const remoteScreens: readonly BuiltScreen[] = [
  { name: 'remote-empty', as: 'newPerson', open: (page, { url }) => page.goto(`${url}/remote`) },
  { name: 'remote', as: 'owner', answered: true, open: withList },
  { name: 'remote-links', page: true, as: 'owner', answered: true, open: withLinks },
  { name: 'remote-guest', page: true, as: 'visitor', answered: true, open: withGuest },
  { name: 'remote-screen', page: true, as: 'owner', answered: true, open: withScreen },
  { name: 'remote-terminal', page: true, as: 'owner', answered: true, open: withTerminal },
  { name: 'remote-replay', page: true, as: 'owner', answered: true, open: withReplay },
];
