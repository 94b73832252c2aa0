import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { portalDraft, portalLimits } from '../../../test/portal-draft.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { createOidc } from './methods/oidc.ts';
import {
  alertOf,
  grantOpen,
  newClient,
  nextOf,
  openPage,
  type Page,
  plainFas,
  sealedFas,
  submit,
  uamRedirect,
} from './testing/guest.ts';
import { type Change, startOidcProvider } from './testing/oidc-provider.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let server: TestServer;
let owner: Registered;
let gwid: string;
let template: string;
let base: string;

const call = <T = unknown>(path: string, input: object) => server.call<T>(`/api/v3/${path}`, input, owner);
const methods = (change: object = {}) => [
  { kind: 'oidc', ...portalLimits, issuer: provider.issuer, client_id: 'wifi', client_secret: 's3cret', ...change },
];

beforeAll(async () => {
  server = await startTestServer({ clock });
  provider = await startOidcProvider({ id: 'wifi', secret: 's3cret' }, () => clock.now());
});
beforeEach(async () => {
  owner = await server.register();
  gwid = (await call<{ gwid: string }>('network/create', { remark: 'Lobby' })).data.gwid;
  const draft = portalDraft({ methods: methods() });
  template = (await call<{ id: string }>('auth_template/create', { name: 'Staff', ...draft })).data.id;
  await call('auth_template/publish', { id: template, revision: 1 });
  const site = { gwid, enabled: true, template_id: template, gateway: 'opennds_1' };
  const { data } = await call<{ secrets: { settings: string } }>('portal/site/save', site);
  base = `http://127.0.0.1:${server.program.portalPort}/p/${/\/p\/([\w-]{22})\//.exec(data.secrets.settings)![1]!}`;
});
afterAll(async () => {
  provider.stop();
  await server.stop();
});

async function change(more: object, content: object = {}): Promise<void> {
  const { data } = await call<{ revision: number }>('auth_template/detail', { id: template });
  const draft = { ...portalDraft({ methods: methods(more), ...content }), name: 'Staff' };
  const saved = await call<{ revision: number }>('auth_template/save', {
    id: template,
    revision: data.revision,
    ...draft,
  });
  await call('auth_template/publish', { id: template, revision: saved.data.revision });
}
const arrive = () => openPage(`${base}/fas?${plainFas(newClient())}`);
async function begin(page?: Page) {
  const sent = await submit(page ?? (await arrive()), 'oidc');
  return { sent, page: nextOf(sent), cookie: sent.headers.get('set-cookie')?.split(';')[0] ?? '' };
}
const comeBack = (query: URLSearchParams, cookie: string) =>
  openPage(`${new URL(base).origin}/login?${query}`, { headers: { cookie, 'accept-language': 'en' } });
async function signIn(change: Change = {}): Promise<Page> {
  const { page, cookie } = await begin();
  return comeBack(provider.approve(page, change), cookie);
}
const list = async () => (await call<{ list: { id: string }[] }>('portal/session/list', { gwid })).data.list;

it.each(['RS256', 'ES256'] as const)('lets a guest in by an ID token that is signed with %s', async (algorithm) => {
  const { page, cookie, sent } = await begin();
  expect(sent.html).toContain('On the way to the sign-in');
  expect(Object.fromEntries(new URL(page).searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'wifi',
    redirect_uri: `http://localhost:${new URL(base).port}/login`,
    scope: 'openid profile email',
    code_challenge_method: 'S256',
    ui_locales: 'en',
  });
  const online = await comeBack(provider.approve(page, { algorithm }), cookie);
  expect(nextOf(online)).toContain('opennds_auth');
  const sessions = await list();
  expect(sessions).toMatchObject([{ identity: 'Ann', method: 'oidc', masked: true }]);
  const revealed = await call<{ identity: string }>('portal/session/reveal', { gwid, id: sessions[0]!.id });
  expect(revealed.data.identity).toBe('Ann (ann@corp.example.com)');
});

const past = Date.parse('2026-11-23T03:00:00Z') / 1000;
it.each<[string, Change, string]>([
  ['a forged signature', { forged: true }, 'is not signed by it'],
  ['an unsigned token', { weak: 'none' }, 'is incomplete'],
  ["a token that is signed with the client's secret", { weak: 'HS256' }, 'is incomplete'],
  ['an expired token', { claims: { exp: past } }, 'has expired'],
  ['another nonce', { claims: { nonce: 'of-another-visit' } }, 'belongs to another sign-in'],
  ['another audience', { claims: { aud: 'other-app' } }, 'is for another application'],
  ['another issuer', { claims: { iss: 'https://evil.example' } }, 'comes from another sign-in service'],
  ['no subject', { claims: { sub: undefined } }, 'is incomplete'],
])('refuses %s by name', async (_what, wrong, text) => {
  expect(alertOf(await signIn(wrong))).toContain(text);
  expect(await list()).toEqual([]);
  const { data } = await call<{ failures: unknown[] }>('portal/funnel', { gwid });
  expect(data.failures).toHaveLength(1);
});

it('names a key of the issuer that is none', async () => {
  const issuer = provider.brokenIssuer;
  await change({ issuer });
  expect(alertOf(await signIn({ claims: { iss: issuer } }))).toContain('is not signed by it');
});

it('says that the guest or the provider refused', async () => {
  const { page, cookie } = await begin();
  const state = new URL(page).searchParams.get('state')!;
  const refused = await comeBack(new URLSearchParams({ error: 'access_denied', state }), cookie);
  expect(alertOf(refused)).toBe('The sign-in was cancelled or refused.');
  const other = await begin(refused);
  const query = provider.approve(other.page);
  query.set('code', 'guessed');
  expect(alertOf(await comeBack(query, other.cookie))).toBe('The sign-in was cancelled or refused.');
});

it('finishes a sign-in once, in the browser that began it, within 15 minutes', async () => {
  const { page, cookie } = await begin();
  const query = provider.approve(page);
  const another = (await begin()).cookie;
  for (const other of ['', another])
    expect(alertOf(await comeBack(query, other))).toContain('began in another browser');
  const { data } = await call<{ failures: unknown[] }>('portal/funnel', { gwid });
  expect(data.failures).toEqual([{ reason: 'login_browser', visits: 1 }]);
  expect(nextOf(await comeBack(query, cookie))).toContain('opennds_auth');
  expect(alertOf(await comeBack(query, cookie))).toBe('This sign-in is finished or has expired.');
  const late = await begin();
  clock.advance(16 * 60_000);
  expect(alertOf(await comeBack(provider.approve(late.page), late.cookie))).toBe(
    'This sign-in is finished or has expired.',
  );
  query.set('state', '0'.repeat(64));
  expect((await comeBack(query, cookie)).status).toBe(404);
});

it('redeems no answer after the template has another issuer', async () => {
  const { page, cookie } = await begin();
  await change({ issuer: provider.brokenIssuer });
  expect((await comeBack(provider.approve(page), cookie)).html).toContain('This page has expired.');
  expect(await list()).toEqual([]);
});

it('knows a verified device again for the days of the template, while its rules stay', async () => {
  const days = { remember_days: 2 };
  await change({}, days);
  const site = { gwid, enabled: true, template_id: template, gateway: 'opennds_3' };
  const { data } = await call<{ secrets: { settings: string } }>('portal/site/save', site);
  const faskey = /faskey='([\w-]{32})'/.exec(data.secrets.settings)![1]!;
  const client = newClient();
  const come = () => openPage(`${base}/fas?${sealedFas({ ...client, hid: newClient().hid }, faskey)}`);
  const known = async () => (await come()).html.includes('Welcome back');
  const { page, cookie } = await begin(await come());
  await comeBack(provider.approve(page), cookie);
  expect(await known()).toBe(false);
  await grantOpen(base);
  expect((await submit(await come(), 'remembered')).html).toContain('Connecting');
  await grantOpen(base);
  expect(await list()).toMatchObject([
    { identity: 'Ann', method: 'oidc' },
    { identity: 'Ann', method: 'oidc' },
  ]);
  await change({ allowed: ['groups=staff'] }, days);
  expect(await known()).toBe(false);
  await change({}, days);
  expect(await known()).toBe(true);
  clock.advance(3 * 86_400_000);
  expect(await known()).toBe(false);
});

it('exports and erases a guest by what the provider says, and no other of the same name', async () => {
  await signIn();
  await signIn({ claims: { sub: 'u-2', email: 'ann2@corp.example.com' } });
  const person = (act: string, value: string) =>
    call<{ sessions: unknown }>(`portal/person/${act}`, { kind: 'login', value });
  const several = { code: 422, errors: { value: [expect.stringContaining('Several guests')] } };
  for (const act of ['export', 'erase']) expect(await person(act, 'Ann')).toMatchObject(several);
  for (const value of ['ANN@corp.example.com', 'u-1'])
    expect((await person('export', value)).data.sessions).toMatchObject([{ identity: 'Ann (ann@corp.example.com)' }]);
  expect((await person('export', 'U-1')).data.sessions).toEqual([]);
  const { systemPool } = server.db.database;
  await systemPool.query("update portal_session set state = 'ended', ended_at = made_at where gwid = $1", [gwid]);
  expect((await person('erase', 'u-1')).data).toMatchObject({ sessions: 1, online: 0 });
  expect((await person('export', 'ann@corp.example.com')).data.sessions).toEqual([]);
  expect((await person('export', 'ann')).data.sessions).toMatchObject([{ identity: 'Ann (ann2@corp.example.com)' }]);
  const { rows } = await systemPool.query('select l::text from operation_log l where account_id = $1', [
    owner.accountId,
  ]);
  expect(JSON.stringify(rows)).not.toContain('corp.example.com');
});

it('finds guests by the number and address that the provider verified, and by its ID, in history and exports', async () => {
  await signIn({ claims: { phone_number: '+86 138 1234 5678', phone_number_verified: true } });
  await signIn({ claims: { sub: 'u-2', email: 'b@corp.example.com', phone_number: '13812345679' } });
  const found = async (keyword: string) =>
    (await call<{ list: { id: string }[] }>('portal/session/list', { gwid, keyword })).data.list.length;
  for (const keyword of ['13812345678', 'ANN@corp.example.com', 'u-2']) expect(await found(keyword)).toBe(1);
  expect(await found('ann')).toBe(2);
  // unverified, and parts of what only hashes are kept of
  for (const keyword of ['13812345679', 'corp.example', 'u-']) expect(await found(keyword)).toBe(0);
  const sessionsOf = async (kind: string, value: string) =>
    (await call<{ sessions: unknown }>('portal/person/export', { kind, value })).data.sessions;
  for (const kind of ['phone', 'login'])
    expect(await sessionsOf(kind, '138 1234 5678')).toMatchObject([{ identity: 'Ann (ann@corp.example.com)' }]);
  const { rows } = await server.db.database.systemPool.query('select s::text from portal_session s where gwid = $1', [
    gwid,
  ]);
  expect(JSON.stringify(rows)).not.toContain('13812345678');
});

it('begins no sign-in from a form of another site, over plain HTTP either', async () => {
  const { html, url } = await arrive();
  const action = new URL(/action="([^"]+)"/.exec(html)![1]!, url).href;
  const body = new URLSearchParams({ state: /name="state" value="([^"]*)"/.exec(html)![1]!, way: 'oidc' });
  const begins = async (headers: Record<string, string>) =>
    (await openPage(action, { method: 'POST', body, headers })).headers.has('set-cookie');
  const { origin } = new URL(base);
  for (const site of ['cross-site', 'same-site']) expect(await begins({ 'sec-fetch-site': site, origin })).toBe(false);
  expect(await begins({ 'sec-fetch-site': 'same-origin' })).toBe(true);
  // `null`: a page that hides its origin
  for (const other of ['http://evil.example', origin.replace(/:\d+$/, ':1'), 'null'])
    expect(await begins({ origin: other })).toBe(false);
  expect(await begins({})).toBe(false);
  expect(await begins({ origin })).toBe(true);
});

it('shows a subject without control characters when there is no name', async () => {
  const claims = { name: '', preferred_username: '\u0001', email_verified: false, sub: 'u\u00001' };
  expect(nextOf(await signIn({ claims }))).toContain('opennds_auth');
  expect(await list()).toMatchObject([{ identity: 'u1' }]);
});

it('lets only verified addresses and claims of the template in', async () => {
  await change({ allowed: ['@Corp.example.com'] });
  expect(nextOf(await signIn())).toContain('opennds_auth');
  for (const claims of [{ email_verified: false }, { email: 'ann@evil-corp.example.com' }, { email: undefined }])
    expect(alertOf(await signIn({ claims }))).toBe('Your account may not use this network.');
  await change({ allowed: ['groups=wifi'] });
  expect(nextOf(await signIn({ claims: { sub: 'u-2' } }))).toContain('opennds_auth');
  for (const groups of [['wifi2'], 'staff', undefined])
    expect(alertOf(await signIn({ claims: { groups } }))).toBe('Your account may not use this network.');
});

it('keeps the secret when a save has none, never shows it, and refuses a method without one', async () => {
  await change({ client_secret: undefined });
  expect(nextOf(await signIn())).toContain('opennds_auth');
  const shown = await call<{ methods: object[] }>('auth_template/detail', { id: template });
  expect(shown.data.methods).toMatchObject([{ kind: 'oidc', client_id: 'wifi', secret_set: true, allowed: [] }]);
  const { rows } = await server.db.database.systemPool.query(
    'select t.draft::text, v.content::text, l::text from portal_template t, portal_template_version v, operation_log l where t.account_id = $1 and v.account_id = $1 and l.account_id = $1',
    [owner.accountId],
  );
  expect(JSON.stringify([shown, rows])).not.toContain('s3cret');
  const made = (method: object) =>
    call('auth_template/create', { name: 'Other', ...portalDraft({ methods: methods(method) }) });
  for (const field of ['client_secret', 'issuer', 'client_id'])
    expect(await made({ [field]: undefined })).toMatchObject({
      code: 422,
      errors: { [`methods.0.${field}`]: [expect.any(String)] },
    });
  const { data } = await call<{ revision: number }>('auth_template/detail', { id: template });
  for (const other of [{ issuer: 'https://evil.example' }, { client_id: 'other' }]) {
    const draft = portalDraft({ methods: methods({ ...other, client_secret: undefined }) });
    expect(
      await call('auth_template/save', { id: template, revision: data.revision, name: 'Staff', ...draft }),
    ).toMatchObject({ code: 422, errors: { 'methods.0.client_secret': [expect.any(String)] } });
  }
  for (const wrong of [{ issuer: 'ldap://corp' }, { allowed: ['corp.example.com'] }])
    expect(await made(wrong)).toMatchObject({ code: 422 });
});

it('opens the issuer for guests who are not in yet', async () => {
  const site = { gwid, enabled: true, template_id: template, gateway: 'uam' };
  const { data } = await call<{ secrets: { settings: string } }>('portal/site/save', site);
  expect(JSON.parse(data.secrets.settings)).toMatchObject({
    services: { captive: { 'walled-garden-ipaddr': expect.arrayContaining(['127.0.0.1']) } },
  });
  const secret = /"uam-secret": "([\w-]{32})"/.exec(data.secrets.settings)![1]!;
  const page = await openPage(uamRedirect(`${base}/uam`, newClient(), secret));
  expect((await begin(page)).page).toContain(provider.issuer);
});

it('asks providers at private addresses and without TLS only where the administrator allows it', async () => {
  const closed = createOidc({ clock, privateAddresses: false });
  const login = { redirectUri: 'https://portal.example/login', state: 's', nonce: 'n', verifier: 'v', locale: 'en' };
  for (const issuer of [provider.issuer, provider.issuer.replace('http:', 'https:')]) {
    const method = { kind: 'oidc' as const, ...portalLimits, issuer, client_id: 'w', client_secret: 's', allowed: [] };
    const asked = closed.signInUrl(method, { ...login, locale: 'en' });
    await expect(asked).rejects.toMatchObject({ error: { reason: 'login_unreachable' } });
  }
  await change({ issuer: 'http://127.0.0.1:1/none' });
  expect(alertOf((await begin()).sent)).toBe('The sign-in service does not answer. Try again later.');
});
