import type { PortalMethod } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { guessLimits, queueRules } from './guest-limits.ts';
import {
  alertOf,
  contentWith,
  freeLimits,
  grantOpen,
  memoryTemplates,
  newClient,
  openPage,
  type Page,
  plainFas,
  sealedFas,
  submit,
} from './testing/guest.ts';
import { type PortalNetwork, portalNetwork } from './testing/portal-network.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
let server: TestServer;
let owner: Registered;
let lobby: PortalNetwork;

const methods: PortalMethod[] = [
  { kind: 'voucher', ...freeLimits },
  { kind: 'account', ...freeLimits },
  { kind: 'password', ...freeLimits, password: 'open&sesame' },
];

beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
});
beforeEach(async () => {
  owner = await server.register();
  lobby = await portalNetwork(server, owner, templates, { gateway: 'opennds_3', content: contentWith(methods) });
});
afterAll(() => server.stop());

const call = (path: string, input: object) =>
  server.call<{ codes: string[] }>(`/api/v3/portal/${path}`, { gwid: lobby.gwid, ...input }, owner);
const arrive = (client = newClient()) => openPage(`${lobby.base}/fas?${sealedFas(client, lobby.secret)}`);
const isIn = ({ html }: Page) => html.includes('Connecting');

async function voucher(): Promise<string> {
  const batch = { name: 'Day', count: 1, minutes: 60, devices: 5, valid_days: 30, characters: 'mixed', length: 8 };
  return (await call('voucher/create', batch)).data.codes[0]!;
}
const account = { name: 'Ann', password: 'open4guests' };
const createAccount = () => call('member/create', { ...account, enabled: true, until: null, devices: 50 });

async function attack(count: number, way: string, fields: Record<string, string>) {
  const pages = await Promise.all(Array.from({ length: count }, () => arrive()));
  const state = { checked: 0, refused: 0, began: performance.now() };
  for (const page of pages)
    submit(page, way, fields).then(
      (answer) => {
        if (/wrong|no such voucher/.test(alertOf(answer) ?? '')) state.checked += 1;
        else state.refused += 1;
      },
      () => undefined,
    );
  return state;
}

const seconds = (since: number) => (performance.now() - since) / 1000;

it('slows guesses at vouchers from ever new devices, and lets a newcomer in', async () => {
  const code = await voucher();
  const { free, everyMs } = queueRules.prepaid;
  const state = await attack(150, 'voucher', { voucher: 'AAAAAAAA' });
  await expect.poll(() => state.checked).toBeGreaterThanOrEqual(free);
  const began = performance.now();
  expect(isIn(await submit(await arrive(), 'voucher', { voucher: code }))).toBe(true);
  expect(seconds(began)).toBeLessThan(5);
  expect(state.checked).toBeLessThanOrEqual(free + 1 + (seconds(state.began) * 1000) / everyMs);
  expect(state.refused).toBe(0);
});

it('slows guesses at an account, but no device that has signed in with it', async () => {
  await createAccount();
  const known = newClient();
  expect(isIn(await submit(await arrive(known), 'account', account))).toBe(true);
  await grantOpen(lobby.base);
  const { free } = queueRules.account;
  const state = await attack(60, 'account', { name: 'ANN', password: 'guess' });
  await expect.poll(() => state.checked).toBeGreaterThanOrEqual(free);
  const began = performance.now();
  expect(isIn(await submit(await arrive(), 'account', account))).toBe(true);
  expect(seconds(began)).toBeLessThan(5);
  for (let n = 0; n < 8; n += 1) expect(isIn(await submit(await arrive(known), 'account', account))).toBe(true);
  expect(state.checked).toBeLessThan(60);
});

it('checks as many of 200 wrong guesses at once as a device has', async () => {
  const page = await arrive();
  const tries = Array.from({ length: 200 }, () => submit(page, 'password', { password: 'no' }));
  const alerts = (await Promise.all(tries)).map(alertOf);
  const wrong = alerts.filter((text) => text === 'The password is wrong.');
  expect(wrong.length).toBe(guessLimits.device);
  expect(alerts.filter((text) => text?.startsWith('Too many attempts from this device')).length).toBe(
    200 - guessLimits.device,
  );
});

it('refuses none of 200 right secrets at once from one address', async () => {
  const shop = await portalNetwork(server, owner, templates, { gateway: 'opennds_1', content: contentWith(methods) });
  const pages = await Promise.all(
    Array.from({ length: 200 }, () => openPage(`${shop.base}/fas?${plainFas(newClient())}`)),
  );
  const answers = await Promise.all(pages.map((page) => submit(page, 'password', { password: 'open&sesame' })));
  expect(answers.map(alertOf).filter((text) => text !== null)).toEqual([]);
});
