import type { PortalGateway, PortalMethod } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { rhidOf } from './adapters/opennds.ts';
import {
  alertOf,
  authmon,
  contentWith,
  freeLimits,
  memoryTemplates,
  newClient,
  nextOf,
  openPage,
  type Page,
  plainFas,
  sealedFas,
  submit,
  uamRedirect,
} from './testing/guest.ts';
import { portalNetwork } from './testing/portal-network.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
const oneClick: PortalMethod = { kind: 'one_click', ...freeLimits };
let addresses = ['198.51.100.7'];
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates, resolveHost: async () => addresses });
  owner = await server.register();
});
afterAll(() => server.stop());

async function call<T = Record<string, never>>(path: string, input: object): Promise<T> {
  const { code, data, message } = await server.call<T>(`/api/v3/portal/${path}`, input, owner);
  if (code !== 2000) throw new Error(`${path}: ${code} ${message}`);
  return data;
}

/** With the identifier of its template. */
async function network(gateway: PortalGateway) {
  let template = '';
  const noting: Pick<typeof templates, 'set'> = {
    set(id, content) {
      template = id;
      templates.set(id, content);
    },
  };
  const made = await portalNetwork(server, owner, noting, { gateway, content: contentWith([oneClick]) });
  return { ...made, template };
}

interface Site {
  old_secret_since: string | null;
  settings_changed: boolean;
}
const siteOf = async (gwid: string) => (await call<{ site: Site }>('site', { gwid })).site;
const reveal = async (gwid: string) => (await call<{ settings: string }>('settings/reveal', { gwid })).settings;
const renew = async (gwid: string) => (await call<{ settings: string }>('secret/renew', { gwid })).settings;
const keyIn = (settings: string) => /(?:faskey='|"uam-secret": ")([\w-]{32})/.exec(settings)![1]!;
const markIn = (settings: string) => /faspath='\/p\/[\w-]{22}(\/fas\/[\w-]{8})'/.exec(settings)![1]!;
const isUnverified = (page: Page) => (alertOf(page) ?? '').startsWith('The console cannot verify your gateway');

it('shows settings again with the same secret, and the log records who saw them', async () => {
  const { gwid, secret, template } = await network('opennds_3');
  const first = await reveal(gwid);
  expect(keyIn(first)).toBe(secret);
  expect(first).toContain("fasremoteip='198.51.100.7'");
  expect((await siteOf(gwid)).settings_changed).toBe(false);
  const whitelist = [{ name: 'Menu', link: 'https://menu.example.org' }];
  templates.set(template, contentWith([oneClick], { whitelist }));
  expect((await siteOf(gwid)).settings_changed).toBe(true);
  const second = await reveal(gwid);
  expect(second).toContain("walledgarden_fqdn_list='menu.example.org'");
  expect(keyIn(second)).toBe(secret);
  expect((await siteOf(gwid)).settings_changed).toBe(false);
  const { rows } = await server.db.database.systemPool.query(
    "select log::text as row from operation_log log where gwid = $1 and action = 'portal.settings_reveal'",
    [gwid],
  );
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(secret);
});

it('says that the host of the page has moved since the settings were shown', async () => {
  const { gwid } = await network('opennds_3');
  const dns = async () =>
    (await call<{ checks: { step: string }[] }>('check', { gwid })).checks.find(({ step }) => step === 'dns');
  expect(await dns()).toMatchObject({ finding: 'by_hand' });
  addresses = ['198.51.100.99'];
  expect(await dns()).toMatchObject({ state: 'wrong', finding: 'address_moved', name: '198.51.100.99' });
  await reveal(gwid);
  expect(await dns()).toMatchObject({ finding: 'by_hand' });
});

it('takes the earlier secret at level 3 until the gateway uses the new one', async () => {
  const { base, gwid, secret } = await network('opennds_3');
  const arrive = (key: string, client = newClient()) => openPage(`${base}/fas?${sealedFas(client, key)}`);
  await arrive(secret);
  const fresh = keyIn(await renew(gwid));
  expect(fresh).not.toBe(secret);
  expect((await siteOf(gwid)).old_secret_since).toBe(clock.now().toISOString());
  const client = newClient();
  await submit(await arrive(secret, client), 'one_click');
  expect(decodeURIComponent((await authmon(base, 'view')).html)).toContain(rhidOf(client.hid, secret));
  // a second renewal keeps the one that the gateway has
  const newest = keyIn(await renew(gwid));
  expect(isUnverified(await arrive(fresh))).toBe(true);
  expect(isUnverified(await arrive(secret))).toBe(false);
  expect(isUnverified(await arrive(newest))).toBe(false);
  expect(isUnverified(await arrive(secret))).toBe(true);
  expect((await siteOf(gwid)).old_secret_since).toBeNull();
});

it('knows by the path which settings a gateway at level 1 has', async () => {
  const { base, gwid, secret } = await network('opennds_1');
  const old = markIn(await reveal(gwid));
  const tokOf = async (path: string) => {
    const client = newClient();
    const connecting = await submit(await openPage(`${base}${path}?${plainFas(client)}`), 'one_click');
    const tok = new URL(nextOf(connecting)).searchParams.get('tok');
    return (key: string) => tok === rhidOf(client.hid, key);
  };
  expect((await tokOf(old))(secret)).toBe(true);
  const settings = await renew(gwid);
  const [fresh, mark] = [keyIn(settings), markIn(settings)];
  expect((await tokOf(old))(secret)).toBe(true);
  // settings of before the marks
  expect((await tokOf('/fas'))(secret)).toBe(true);
  expect((await siteOf(gwid)).old_secret_since).not.toBeNull();
  expect((await tokOf(mark))(fresh)).toBe(true);
  expect((await siteOf(gwid)).old_secret_since).toBeNull();
  expect(isUnverified(await openPage(`${base}${old}?${plainFas(newClient())}`))).toBe(true);
});

it('answers the challenge of a UAM gateway with the secret that it has, and ends the earlier one when asked', async () => {
  const { base, gwid, secret } = await network('uam');
  const arrive = (key: string) => openPage(uamRedirect(`${base}/uam`, newClient(), key));
  expect(isUnverified(await arrive(secret))).toBe(false);
  const fresh = keyIn(await renew(gwid));
  expect(isUnverified(await arrive(secret))).toBe(false);
  await call('secret/end', { gwid });
  expect(isUnverified(await arrive(secret))).toBe(true);
  expect(isUnverified(await arrive(fresh))).toBe(false);
});
