import { createHash } from 'node:crypto';
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
  memoryTemplates,
  newClient,
  nextOf,
  openPage,
  submit,
  uamRedirect,
} from './testing/guest.ts';
import { type PortalNetwork, portalNetwork } from './testing/portal-network.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
let server: TestServer;
let owner: Registered;
let gate: GuestGate;
let network: PortalNetwork;

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
  const content = contentWith([{ kind: 'one_click', ...freeLimits }]);
  network = await portalNetwork(server, owner, templates, { gateway: 'uam', content });
});

const arrive = (client: Client, extra?: string) =>
  openPage(uamRedirect(`${network.base}/uam`, client, network.secret, extra));

function chap(client: Client, response: string) {
  const challenge = createHash('md5').update(client.mac).digest('hex');
  const derived = createHash('md5').update(Buffer.from(challenge, 'hex')).update(network.secret).digest();
  return (password: string) =>
    createHash('md5')
      .update(Buffer.from([0]))
      .update(password)
      .update(derived)
      .digest('hex') === response;
}

async function logon(client: Client) {
  const url = new URL(nextOf(await submit(await arrive(client), 'one_click')));
  const username = url.searchParams.get('username')!;
  const proves = chap(client, url.searchParams.get('response')!);
  const request = { username, mac: client.mac, ip: client.ip, acctSessionId: 'a1', proves };
  return { url, nas: { accountId: owner.accountId, gwid: network.gwid }, request };
}

const online = async () =>
  (
    await server.call<{ list: { id: string; up_bytes: number; down_bytes: number }[] }>(
      '/api/v3/portal/guest/list',
      { gwid: network.gwid },
      owner,
    )
  ).data.list;

it('sends the guest to the gateway with a credential that RADIUS redeems once', async () => {
  const client = newClient();
  const { url, nas, request } = await logon(client);
  expect(`${url.origin}${url.pathname}`).toBe('http://192.168.77.1:3990/logon');
  expect(await online()).toEqual([]);
  const answers = await Promise.all([gate.redeem(nas, request), gate.redeem(nas, request)]);
  expect(answers.filter((answer) => answer === 'unknown_user').length).toBe(1);
  expect(answers.find((answer) => answer !== 'unknown_user')).toMatchObject({
    limits: { minutes: 60, up_kbps: 512, down_kbps: 2048 },
    secondsLeft: 3600,
  });
  expect((await online()).length).toBe(1);
  expect((await arrive(client, 'res=success')).html).toContain('You are online');
});

it('refuses a wrong password, another network, another device and an offer of 60 s ago', async () => {
  const client = newClient();
  const { nas, request } = await logon(client);
  const other = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Other' }, owner);
  expect(await gate.redeem(nas, { ...request, proves: () => false })).toBe('unknown_user');
  expect(await gate.redeem({ ...nas, gwid: other.data.gwid }, request)).toBe('unknown_user');
  expect(await gate.redeem(nas, { ...request, mac: newClient().mac })).toBe('unknown_user');
  clock.advance(61_000);
  expect(await gate.redeem(nas, request)).toBe('unknown_user');
});

it('takes the signature over an SSID that browsers have to encode', async () => {
  for (const ssid of ['滨江超市', `Joe's "Free" WiFi`, '50% 云'])
    expect([ssid, alertOf(await arrive(newClient(), `res=notyet&ssid=${ssid}`))]).toEqual([ssid, null]);
});

it('says that the gateway rejected the sign-in and offers it again', async () => {
  const page = await arrive(newClient(), 'res=reject');
  expect(alertOf(page)).toBe('The gateway did not accept the sign-in.');
  expect(nextOf(await submit(page, 'one_click'))).toContain('/logon?');
});

it('keeps accounting totals and ends the session at its stop', async () => {
  const { nas, request } = await logon(newClient());
  await gate.redeem(nas, request);
  const event = {
    username: request.username,
    acctSessionId: 'a1',
    mac: null,
    ip: null,
    seconds: 60,
    cause: null,
    kind: 'interim' as const,
    counter: 'S',
    upBytes: 100,
    downBytes: 2000,
  };
  await gate.account(nas, event);
  await gate.account(nas, { ...event, upBytes: 50, downBytes: 10 });
  expect(await online()).toMatchObject([{ up_bytes: 100, down_bytes: 2000 }]);
  await gate.account(nas, { ...event, kind: 'stop', upBytes: 300, downBytes: 4000, cause: 'idle' });
  await gate.account(nas, { ...event, kind: 'stop', upBytes: 300, downBytes: 4000, cause: 'idle' });
  expect(await online()).toEqual([]);
  const { rows } = await server.db.database.systemPool.query(
    'select up_bytes, down_bytes, end_reason from portal_session where gwid = $1',
    [network.gwid],
  );
  expect(rows).toEqual([{ up_bytes: 300, down_bytes: 4000, end_reason: 'idle' }]);
});

it('says the data left once the gateway accounts for it, and leads to the gateway to sign out', async () => {
  const client = newClient();
  const { nas, request } = await logon(client);
  await gate.redeem(nas, request);
  expect(await online()).toMatchObject([{ up_bytes: null, down_bytes: null, signs_out: true }]);
  const mebibyte = 2 ** 20;
  const { systemPool } = server.db.database;
  await systemPool.query('update portal_session set max_bytes = $1 where gwid = $2', [900 * mebibyte, network.gwid]);
  const page = await arrive(client, 'res=success');
  expect(page.html).not.toContain('Data left');
  expect(page.html).toContain('href="http://192.168.77.1:3990/logoff"');
  await gate.account(nas, {
    username: request.username,
    acctSessionId: 'a1',
    mac: null,
    ip: null,
    seconds: 60,
    cause: null,
    kind: 'interim',
    counter: 'S',
    upBytes: mebibyte / 2,
    downBytes: 100 * mebibyte,
  });
  expect((await arrive(client, 'res=success')).html).toContain('Data left: 799 MB');
});

it('adds the counters of a gateway, and none of them twice', async () => {
  const { nas, request } = await logon(newClient());
  await gate.redeem(nas, request);
  const event = {
    username: request.username,
    acctSessionId: 'a1',
    mac: null,
    ip: null,
    seconds: 0,
    cause: null,
    kind: 'interim' as const,
  };
  await gate.account(nas, { ...event, counter: 'first', upBytes: 100, downBytes: 1000 });
  await gate.account(nas, { ...event, counter: 'second', upBytes: 10, downBytes: 20 });
  await gate.account(nas, { ...event, counter: 'first', upBytes: 100, downBytes: 1000 });
  await gate.account(nas, { ...event, counter: 'second', upBytes: 30, downBytes: 40 });
  expect(await online()).toMatchObject([{ up_bytes: 130, down_bytes: 1040 }]);
});

it('ends a session that went on at the access point before, at that one', async () => {
  const { nas, request } = await logon(newClient());
  await gate.redeem(nas, request);
  const event = { username: request.username, mac: null, ip: null, seconds: 0, downBytes: 0 };
  const at = (acctSessionId: string, kind: 'start' | 'interim' | 'stop', upBytes: number) =>
    gate.account(nas, {
      ...event,
      acctSessionId,
      counter: acctSessionId,
      kind,
      upBytes,
      cause: kind === 'stop' ? 'lost_carrier' : null,
    });
  await at('first', 'interim', 100);
  await at('second', 'start', 0);
  await at('second', 'stop', 20);
  expect(await online()).toEqual([]);
  await at('first', 'interim', 300);
  expect(await online()).toMatchObject([{ up_bytes: 320 }]);
  await at('first', 'stop', 400);
  expect(await online()).toEqual([]);
});

it('takes no report for the one before it that another gateway gives the same id', async () => {
  const { nas, request } = await logon(newClient());
  await gate.redeem(nas, request);
  const event = { acctSessionId: 'a1', mac: null, ip: null, seconds: 0, counter: 'S', downBytes: 0 } as const;
  await gate.accountAll([
    { place: nas, event: { ...event, username: request.username, kind: 'interim', upBytes: 7, cause: null } },
    { place: nas, event: { ...event, username: 'another', kind: 'stop', upBytes: 900, cause: 'user_request' } },
  ]);
  expect(await online()).toMatchObject([{ up_bytes: 7 }]);
});

it('keeps the credential sealed, and only until it is redeemed', async () => {
  const { nas, request } = await logon(newClient());
  let clear = '';
  const remember = (password: string) => {
    clear = password;
    return false;
  };
  await gate.redeem(nas, { ...request, proves: remember });
  const credential = async () =>
    (await server.db.database.systemPool.query('select credential from portal_session where gwid = $1', [network.gwid]))
      .rows[0].credential as Buffer | null;
  expect(clear.length).toBe(22);
  expect((await credential())!.includes(clear)).toBe(false);
  await gate.redeem(nas, request);
  expect(await credential()).toBeNull();
});
