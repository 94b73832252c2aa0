import type { PortalGateway, PortalMethod } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { createAccountKeys } from '../../platform/crypto/account-keys.ts';
import { createSealer } from '../../platform/crypto/index.ts';
import { createGuestGate, type GuestGate } from './radius/guest-gate.ts';
import { createPortalSecrets } from './secrets.ts';
import {
  alertOf,
  type Client,
  contentWith,
  freeLimits,
  gatewayHash,
  memoryTemplates,
  newClient,
  nextOf,
  openPage,
  sealedFas,
  submit,
  uamRedirect,
} from './testing/guest.ts';
import { type PortalNetwork, portalNetwork } from './testing/portal-network.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
const minute = 60_000;
let server: TestServer;
let owner: Registered;
let gate: GuestGate;

beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
  const { database, masterKey } = { database: server.db.database, masterKey: server.db.masterKey };
  gate = createGuestGate({
    database,
    clock,
    keys: createAccountKeys(createSealer(masterKey)),
    secrets: createPortalSecrets(masterKey),
  });
});
afterAll(() => server.stop());
beforeEach(async () => {
  owner = await server.register();
});

const unlimited: PortalMethod = { kind: 'one_click', ...freeLimits, minutes: 0 };
const network = (gateway: PortalGateway, method: PortalMethod = unlimited) =>
  portalNetwork(server, owner, templates, { gateway, content: contentWith([method]) });

const sessions = async (gwid: string) =>
  (
    await server.db.database.systemPool.query<{ state: string; end_reason: string | null }>(
      'select state, end_reason from portal_session where gwid = $1 order by made_at, id',
      [gwid],
    )
  ).rows;
const run = () => server.db.database.systemPool.query("select graphile_worker.add_job('portal-expiry')");

/** Lets the client in over RADIUS; the returned function is its gateway's accounting. */
async function overRadius({ base, secret, gwid }: PortalNetwork, client: Client, way = 'one_click', fields = {}) {
  const page = await openPage(uamRedirect(`${base}/uam`, client, secret));
  const answer = await submit(page, way, fields);
  const refused = alertOf(answer);
  if (refused !== null) return { refused, report: async () => undefined };
  const username = new URL(nextOf(answer)).searchParams.get('username')!;
  const nas = { accountId: owner.accountId, gwid };
  const request = { username, mac: client.mac, ip: client.ip, acctSessionId: client.hid.slice(0, 8) };
  await gate.redeem(nas, { ...request, proves: () => true });
  const report = (upBytes: number) =>
    gate.account(nas, { ...request, kind: 'interim', seconds: 60, counter: 'S', upBytes, downBytes: 0, cause: null });
  return { refused: null, report };
}

async function overPolls({ base, secret }: PortalNetwork) {
  const poll = (payload: string) =>
    openPage(`${base}/fas`, {
      method: 'POST',
      body: new URLSearchParams({
        auth_get: 'view',
        gatewayhash: gatewayHash,
        payload: Buffer.from(payload).toString('base64'),
      }),
    });
  await submit(await openPage(`${base}/fas?${sealedFas(newClient(), secret)}`), 'one_click');
  const [rhid] = decodeURIComponent((await poll('none')).html.split(' ')[1]!).split(' ');
  await poll(`* ${rhid}`);
  return () => poll('none');
}

it('a sign-in replaces the sessions before it, not later ones', async () => {
  const site = await network('uam');
  const client = newClient();
  await overRadius(site, client);
  clock.advance(60 * minute);
  await overRadius(site, client);
  clock.advance(-30 * minute);
  await overRadius(site, client);
  clock.advance(30 * minute);
  expect(await sessions(site.gwid)).toEqual([
    { state: 'ended', end_reason: 'replaced' },
    { state: 'online', end_reason: null },
    { state: 'online', end_reason: null },
  ]);
});

it('ends sessions without a limit that RADIUS no longer reports, and resumes one that is reported again', async () => {
  const site = await network('uam');
  const lost = await overRadius(site, newClient());
  clock.advance(1000);
  const kept = await overRadius(site, newClient());
  clock.advance(minute);
  await lost.report(10);
  for (let n = 0; n < 4; n += 1) {
    clock.advance(10 * minute);
    await kept.report(10);
  }
  await run();
  await expect
    .poll(() => sessions(site.gwid))
    .toEqual([
      { state: 'ended', end_reason: 'not_seen' },
      { state: 'online', end_reason: null },
    ]);
  await lost.report(20);
  expect((await sessions(site.gwid))[0]).toEqual({ state: 'online', end_reason: null });
});

it('ends sessions without a limit on an openNDS gateway that stopped polling', async () => {
  const [dead, alive] = [await network('opennds_3'), await network('opennds_3')];
  await overPolls(dead);
  const poll = await overPolls(alive);
  clock.advance(25 * minute);
  await poll();
  clock.advance(10 * minute);
  await run();
  await expect.poll(() => sessions(dead.gwid)).toEqual([{ state: 'ended', end_reason: 'not_seen' }]);
  expect(await sessions(alive.gwid)).toEqual([{ state: 'online', end_reason: null }]);
});

it('ends all sessions when the sign-in page is switched off, and names the reason to the guest', async () => {
  const site = await network('uam', { ...unlimited, minutes: 60 });
  const client = newClient();
  await overRadius(site, client);
  const stored = (
    await server.call<{ site: { template: { id: string } } }>('/api/v3/portal/site', { gwid: site.gwid }, owner)
  ).data.site;
  const save = (enabled: boolean) =>
    server.call(
      '/api/v3/portal/site/save',
      { gwid: site.gwid, enabled, template_id: stored.template.id, gateway: 'uam' },
      owner,
    );
  await save(false);
  expect(await sessions(site.gwid)).toEqual([{ state: 'ended', end_reason: 'site_off' }]);
  await save(true);
  const page = await openPage(uamRedirect(`${site.base}/uam`, client, site.secret, 'res=success'));
  expect(alertOf(page)).toBe('The network switched its sign-in page off, which ended this session.');
});

it('lets a guest with one device back in under another MAC, once the old one is gone', async () => {
  const site = await network('uam', { kind: 'voucher', ...freeLimits });
  const { codes } = (
    await server.call<{ codes: string[] }>(
      '/api/v3/portal/voucher/create',
      {
        gwid: site.gwid,
        name: 'Day',
        count: 1,
        minutes: 600,
        devices: 1,
        valid_days: 30,
        characters: 'digits',
        length: 8,
      },
      owner,
    )
  ).data;
  const fields = { voucher: codes[0]! };
  const first = await overRadius(site, newClient(), 'voucher', fields);
  clock.advance(10 * minute);
  await first.report(10);
  clock.advance(10 * minute);
  expect((await overRadius(site, newClient(), 'voucher', fields)).refused).toBe(
    'The maximum number of devices is online with it (1).',
  );
  clock.advance(2 * minute);
  expect((await overRadius(site, newClient(), 'voucher', fields)).refused).toBeNull();
  expect(await sessions(site.gwid)).toEqual([
    { state: 'ended', end_reason: 'moved' },
    { state: 'online', end_reason: null },
  ]);
});
