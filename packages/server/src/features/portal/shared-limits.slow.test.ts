import { limits, type PortalGateway, type PortalMethod } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { createRowLimit, rowLimits } from './row-limit.ts';
import { addressOf } from './source.ts';
import {
  alertOf,
  contentWith,
  freeLimits,
  memoryTemplates,
  newClient,
  openPage,
  plainFas,
  sealedFas,
  submit,
} from './testing/guest.ts';
import { type PortalNetwork, portalNetwork } from './testing/portal-network.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
});
beforeEach(async () => {
  owner = await server.register();
});
afterAll(() => server.stop());

const network = (gateway: PortalGateway, method: PortalMethod) =>
  portalNetwork(server, owner, templates, { gateway, content: contentWith([method]) });

const claimed = ({ base }: PortalNetwork) => openPage(`${base}/fas?${plainFas(newClient())}`);
const verified = ({ base, secret }: PortalNetwork) => openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);

const eachOf = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_none, n) => work(n)));

it('gives each address its own sign-ins of an hour, and takes no other’s', () => {
  const rows = createRowLimit();
  const site = { accountId: 'a', gwid: 'g' };
  const signIn = (ip: string) => rows.wait(site, 'signIns', addressOf(ip), clock.now());
  for (const ip of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
    for (let n = 0; n < rowLimits.signIns.address; n += 1) expect(signIn(ip)).toBe(0);
  expect([signIn('203.0.113.1'), signIn('198.51.100.1')]).toEqual([3600, 0]);
  rows.giveBack(site, 'signIns', addressOf('203.0.113.1'));
  expect(signIn('203.0.113.1')).toBe(0);
  expect([signIn('2001:db8::1'), signIn('2001:db8:0:1::1')]).toEqual([0, 0]);
});

describe('devices that their gateway vouches for', () => {
  it('do not share the guesses and codes of their address', async () => {
    const lobby = await network('opennds_3', { kind: 'sms', ...freeLimits });
    let phone = 13_900_000_000;
    const ask = async () => {
      phone += 1;
      const fields = { phone: String(phone), step: 'send' };
      return alertOf(await submit(await verified(lobby), 'sms', fields));
    };
    const alerts = await eachOf(limits.guestCodesPerHour.address + 5, ask);
    expect(alerts.filter((text) => text !== null)).toEqual([]);
  });

  it('are named where their own limit is reached', async () => {
    const lobby = await network('opennds_3', { kind: 'sms', ...freeLimits });
    const page = await verified(lobby);
    const alerts = [];
    for (let n = 0; n <= limits.guestCodesPerHour.device; n += 1)
      alerts.push(alertOf(await submit(page, 'sms', { phone: `1380000000${n}`, step: 'send' })));
    expect(alerts.at(-1)).toMatch(/^This device has asked for too many codes/);
    expect(alerts.slice(0, -1)).toEqual(Array(limits.guestCodesPerHour.device).fill(null));
    const shop = await network('opennds_1', { kind: 'sms', ...freeLimits });
    const other = await claimed(shop);
    const sent = await eachOf(limits.guestCodesPerHour.address + 1, (n) =>
      submit(other, 'sms', { phone: `137000000${n + 10}`, step: 'send' }, '203.0.113.5'),
    );
    expect(sent.map(alertOf).filter((text) => text !== null)).toEqual([
      expect.stringMatching(/^Your public address, which others may share/),
    ]);
    expect(alertOf(await submit(other, 'sms', { phone: '13600000000', step: 'send' }, '203.0.113.6'))).toBeNull();
  });
});

it('does not count a device to its address, whose requests of a minute are used up', async () => {
  const own = await startTestServer({ clock, portalTemplates: templates, limitFactor: 1 });
  try {
    const person = await own.register();
    const content = contentWith([{ kind: 'one_click', ...freeLimits }]);
    const lobby = await portalNetwork(own, person, templates, { gateway: 'opennds_3', content });
    const origin = new URL(lobby.base).origin;
    for (let n = 0; n < 60; n += 1) await eachOf(100, () => openPage(`${origin}/p/page.css`));
    const address = await openPage(lobby.base);
    expect([address.status, alertOf(address)]).toEqual([429, expect.stringContaining('your public address')]);
    const signedIn = await submit(await verified(lobby), 'one_click');
    expect([signedIn.status, signedIn.html.includes('Connecting')]).toEqual([200, true]);
  } finally {
    await own.stop();
  }
});
