import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { createAccountKeys } from '../../platform/crypto/account-keys.ts';
import { createSealer } from '../../platform/crypto/index.ts';
import { newId } from '../../platform/database/index.ts';
import { octalBytes } from './adapters/mikrotik.ts';
import { createGuestGate, type GuestGate } from './radius/guest-gate.ts';
import { createPortalSecrets } from './secrets.ts';
import { alertOf, contentWith, freeLimits, memoryTemplates, nextOf, openPage, submit } from './testing/guest.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
let server: TestServer;
let owner: Registered;
let gate: GuestGate;
let gwid: string;
let settings: string;
let base: string;

beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
  const { database, masterKey } = server.db;
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
  gwid = (await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Hotel' }, owner)).data.gwid;
  const template_id = newId();
  const whitelist = [{ name: 'Menu', link: 'https://menu.example.org/x' }];
  templates.set(template_id, contentWith([{ kind: 'voucher', ...freeLimits }], { whitelist, remember_days: 7 }));
  const saved = await server.call<{ secrets: { settings: string } }>(
    '/api/v3/portal/site/save',
    { gwid, enabled: true, template_id, gateway: 'mikrotik' },
    owner,
  );
  settings = saved.data.secrets.settings;
  base = `http://127.0.0.1:${server.program.portalPort}/p/${/\/p\/([\w-]{22})\//.exec(settings)![1]!}`;
});

/** RouterOS' variables as its documentation shows them: bytes of the challenge as octal escapes. */
const routerOs = {
  mac: '02:00:00:00:0A:01',
  ip: '10.5.50.2',
  'link-login-only': 'http://10.5.50.1/login',
  'link-orig': 'http://www.example.com/',
  'chap-id': '\\371',
  'chap-challenge': '\\010\\135\\140\\326\\047\\163\\275\\360\\032\\003\\351\\217\\102\\277\\001\\300',
};
const challenge = Buffer.from([8, 93, 96, 214, 39, 115, 189, 240, 26, 3, 233, 143, 66, 191, 1, 192]);

function redirectOf(values: Record<string, string>, error = ''): string {
  const contents = /contents="(.*)"$/m.exec(settings)![1]!;
  const page = contents
    .replaceAll('\\n', '\n')
    .replace(/\\(["$\\])/g, '$1')
    .replace(/\$\(if error\)(.*?)\$\(else\)(.*?)\$\(endif\)/, error === '' ? '$2' : '$1')
    .replace(/\$\(([\w-]+)\)/g, (_, name: string) => values[name] ?? '');
  const query = new URLSearchParams();
  for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g))
    query.append(name!, value!);
  return `${base}/mikrotik?${query}`;
}
const arrive = (change: Record<string, string> = {}, error?: string) =>
  openPage(redirectOf({ ...routerOs, ...change }, error));
async function voucher(): Promise<string> {
  const batch = { name: 'B', count: 1, minutes: 60, devices: 1, valid_days: 1, characters: 'mixed', length: 8 };
  return (await server.call<{ codes: string[] }>('/api/v3/portal/voucher/create', { gwid, ...batch }, owner)).data
    .codes[0]!;
}
async function logon(code: string, change: Record<string, string> = {}) {
  const url = new URL(nextOf(await submit(await arrive(change), 'voucher', { voucher: code })));
  const response = url.searchParams.get('password')!;
  const proves = (password: string) =>
    createHash('md5')
      .update(Buffer.from([0o371]))
      .update(password)
      .update(challenge)
      .digest('hex') === response;
  const mac = routerOs.mac.toLowerCase();
  const request = { username: url.searchParams.get('username')!, mac, ip: routerOs.ip, acctSessionId: '80a1', proves };
  return { url, request };
}
const nas = () => ({ accountId: owner.accountId, gwid });

it('generates RouterOS commands with RADIUS, walled garden and login page', () => {
  expect(settings).toContain('dst-host=menu.example.org');
  expect(settings).toContain('dns-name="" login-by=http-chap use-radius=yes');
  const html = /contents="(.*)"$/m.exec(settings)![1]!;
  expect(html).toContain('value=\\"\\$(chap-challenge)\\"');
  expect(html.length).toBeLessThan(4096);
});

it('lets a guest in by CHAP with a credential that RADIUS redeems once, and takes the MAC from RADIUS', async () => {
  const { url, request } = await logon(await voucher(), { mac: '02:00:00:00:0F:FF' });
  expect(`${url.origin}${url.pathname}`).toBe('http://10.5.50.1/login');
  expect(url.searchParams.get('dst')).toContain(`${base}/wait?s=`);
  expect(await gate.redeem(nas(), request)).toMatchObject({ limits: { minutes: 60, up_kbps: 512 } });
  expect(await gate.redeem(nas(), request)).toBe('unknown_user');
  const { data } = await server.call<{ list: object[] }>('/api/v3/portal/guest/list', { gwid }, owner);
  expect(data.list).toMatchObject([{ mac: '02:00:00:00:0a:01', verified: true }]);
  expect((await openPage(url.searchParams.get('dst')!)).html).toContain('You are online');
});

const newChallenge = { 'chap-challenge': routerOs['chap-challenge'].replace('\\010', '\\011') };
const granted = { limits: { up_kbps: 512 } };
const otherPhone = { ...newChallenge, mac: '02:00:00:00:0A:02' };
const accept = async (code: string, change: Record<string, string> = {}, mac?: string) => {
  const { request } = await logon(code, change);
  return gate.redeem(nas(), { ...request, ...(mac === undefined ? {} : { mac }), proves: () => true });
};

it('gives a visitor who writes the MAC of a guest nothing: RADIUS names the device', async () => {
  const code = await voucher();
  expect(await accept(code)).toMatchObject(granted);
  expect((await arrive(newChallenge)).html).not.toContain('Welcome back');
  expect(await accept(code, newChallenge, '02:00:00:00:0a:99')).toBe('devices');
  expect(await accept(code, {}, '02:00:00:00:0a:99')).toBe('devices');
  const refused = await arrive({ ...newChallenge, mac: '02:00:00:00:0A:99' }, 'invalid username or password');
  expect(alertOf(refused)).toBe('The maximum number of devices is online with it (1).');
  const guests = async () =>
    (await server.call<{ list: object[] }>('/api/v3/portal/guest/list', { gwid }, owner)).data.list;
  expect(await guests()).toMatchObject([{ mac: '02:00:00:00:0a:01' }]);
  // the guest's own phone, whose gateway sent no stop
  expect(await accept(code, newChallenge)).toMatchObject(granted);
  expect(await guests()).toMatchObject([{ mac: '02:00:00:00:0a:01' }]);
  const { data } = await server.call<{ failures: unknown[] }>('/api/v3/portal/funnel', { gwid }, owner);
  expect(data.failures).toEqual([
    { reason: 'devices', visits: 2 },
    { reason: 'rejected', visits: 1 },
  ]);
});

it('counts the sign-ins of a day by the MAC of RADIUS', async () => {
  const template_id = newId();
  templates.set(template_id, contentWith([{ kind: 'one_click', ...freeLimits, times_per_day: 2 }]));
  await server.call('/api/v3/portal/site/save', { gwid, template_id }, owner);
  const sign = async (at: number, mac = routerOs.mac.toLowerCase()) => {
    const change = { 'chap-challenge': routerOs['chap-challenge'].replace('\\010', `\\02${at}`) };
    const url = new URL(nextOf(await submit(await arrive(change), 'one_click')));
    const username = url.searchParams.get('username')!;
    return gate.redeem(nas(), { username, mac, ip: null, acctSessionId: `a${at}`, proves: () => true });
  };
  const answers = [await sign(1), await sign(2), await sign(3), await sign(4, '02:00:00:00:0a:02')];
  expect(answers.map((answer) => typeof answer === 'object')).toEqual([true, true, false, true]);
});

it('takes the address from accounting', async () => {
  const { request } = await logon(await voucher());
  await gate.redeem(nas(), { ...request, ip: null });
  const traffic = { seconds: 1, counter: 'S', upBytes: 0, downBytes: 0, cause: null };
  await gate.account(nas(), { kind: 'interim', ...request, ip: '10.5.50.77', ...traffic });
  const { data } = await server.call<{ list: object[] }>('/api/v3/portal/guest/list', { gwid }, owner);
  expect(data.list).toMatchObject([{ ip: '10.5.50.77' }]);
});

it('gives the place of a device that accounting has not reported for 11 minutes to the guest’s new MAC', async () => {
  const code = await voucher();
  const { request } = await logon(code);
  await gate.redeem(nas(), request);
  clock.advance(1000);
  const traffic = { seconds: 1, counter: 'S', upBytes: 0, downBytes: 0, cause: null };
  await gate.account(nas(), { kind: 'interim', ...request, acctSessionId: 'a1', ...traffic });
  clock.advance(10 * 60_000);
  expect(alertOf(await submit(await arrive(otherPhone), 'voucher', { voucher: code }))).toMatch(/^The maximum number/);
  clock.advance(60_000);
  expect(nextOf(await submit(await arrive(otherPhone), 'voucher', { voucher: code }))).toContain(
    'http://10.5.50.1/login?',
  );
});

it('keeps the place of a device whose gateway sends no accounting', async () => {
  const code = await voucher();
  await gate.redeem(nas(), (await logon(code)).request);
  clock.advance(30 * 60_000);
  expect(alertOf(await submit(await arrive(otherPhone), 'voucher', { voucher: code }))).toMatch(/^The maximum number/);
});

it('says that the gateway rejected the sign-in', async () => {
  expect(alertOf(await arrive({}, 'invalid username or password'))).toBe('The gateway did not accept the sign-in.');
});

it('refuses a login address that is not the hotspot’s own', async () => {
  for (const link of [
    'http://203.0.113.9/login',
    'http://evil.example/login',
    'http://10.5.50.1/other',
    'javascript:1',
  ])
    expect(alertOf(await arrive({ 'link-login-only': link }))).toMatch(/^The console cannot verify your gateway/);
  expect(alertOf(await arrive({ 'chap-challenge': '' }))).toMatch(/^The console cannot verify your gateway/);
});

it('reads octal escapes and plain characters', () => {
  expect(octalBytes('\\101B\\377', 3)).toEqual(Buffer.from([65, 66, 255]));
  for (const wrong of ['\\400AB', '\\10', 'ABCD', '\\']) expect(octalBytes(wrong, 3)).toBeNull();
});
