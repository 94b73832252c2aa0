import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import {
  alertOf,
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
} from './testing/guest.ts';
import { type PortalNetwork, portalNetwork } from './testing/portal-network.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
let server: TestServer;
let owner: Registered;
let network: PortalNetwork;

beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
});
beforeEach(async () => {
  owner = await server.register();
  const sponsors = ['boss@example.org', '@corp.example.com'];
  const content = contentWith([{ kind: 'sponsor', ...freeLimits, sponsors }]);
  network = await portalNetwork(server, owner, templates, { gateway: 'opennds_1', content });
});
afterAll(() => server.stop());

const arrive = () => openPage(`${network.base}/fas?${plainFas(newClient())}`);
const ask = (page: Page, sponsor: string, guest = 'Ann <b>') =>
  submit(page, 'sponsor', { guest, sponsor, step: 'ask' });
let count = 0;
const host = () => {
  count += 1;
  return `lin${count}@corp.example.com`;
};
async function linkTo(address: string): Promise<string> {
  await expect.poll(() => server.outbox(address).length).toBeGreaterThan(0);
  const url = new URL(server.outbox(address).at(-1)!.params.url!);
  return `${network.base}/sponsor${url.search}`;
}
async function answer(link: string, decision: string): Promise<Page> {
  const token = new URL(link).searchParams.get('t')!;
  const id = /name="r" value="([^"]*)"/.exec((await openPage(link)).html)?.[1] ?? '';
  return openPage(`${network.base}/sponsor`, {
    method: 'POST',
    body: new URLSearchParams({ t: token, r: id, lang: 'en', answer: decision }),
  });
}

it('lets a guest in once the host approves by the link', async () => {
  const address = host();
  const waiting = await ask(await arrive(), address.toUpperCase());
  expect(waiting.html).toContain('Waiting for your host');
  const link = await linkTo(address);
  expect((await openPage(link)).html).toContain('Ann &lt;b&gt; asks for Internet access.');
  expect((await openPage(nextOf(waiting))).html).toContain('Waiting for your host');
  expect((await answer(link, 'approved')).html).toContain('The guest can go online now.');
  expect(nextOf(await openPage(nextOf(waiting)))).toContain('opennds_auth');
  const { data } = await server.call<{ list: { id: string }[] }>(
    '/api/v3/portal/session/list',
    { gwid: network.gwid },
    owner,
  );
  expect(data.list).toMatchObject([{ identity: 'Ann <b>', method: 'sponsor', masked: true }]);
  const reveal = { gwid: network.gwid, id: data.list[0]!.id };
  const revealed = await server.call<{ identity: string }>('/api/v3/portal/session/reveal', reveal, owner);
  expect(revealed.data.identity).toBe(`Ann <b> (${address})`);
  expect(alertOf(await openPage(nextOf(waiting)))).toBe('Your host did not answer in time.');
  expect((await answer(link, 'approved')).html).toContain('has been answered or has expired');
});

it('exports and forgets the request with the guest', async () => {
  const address = host();
  const client = newClient();
  const waiting = await ask(await openPage(`${network.base}/fas?${plainFas(client)}`), address);
  await answer(await linkTo(address), 'approved');
  await openPage(nextOf(waiting));
  const exported = await server.call('/api/v3/portal/person/export', { kind: 'mac', value: client.mac }, owner);
  expect(exported.data).toMatchObject({
    requests: [{ network: 'Lobby', guest: 'Ann <b>', sponsor: address, state: 'used' }],
  });
  const { systemPool } = server.db.database;
  await systemPool.query("update portal_session set state = 'ended', ended_at = made_at");
  const kept = async () =>
    (await systemPool.query('select 1 from portal_sponsor_request where sponsor = $1', [address])).rowCount;
  expect(await kept()).toBe(1);
  const erased = await server.call('/api/v3/portal/person/erase', { kind: 'mac', value: client.mac }, owner);
  expect(erased.data).toEqual({ sessions: 1, codes: 0, invoices: 0, accounts: 0, requests: 1, tries: 0, online: 0 });
  expect(await kept()).toBe(0);
});

it('exports and forgets a request of a verified device that became no session', async () => {
  const content = contentWith([{ kind: 'sponsor', ...freeLimits, sponsors: ['@corp.example.com'] }]);
  const { base, secret } = await portalNetwork(server, owner, templates, { gateway: 'opennds_3', content });
  const client = newClient();
  await ask(await openPage(`${base}/fas?${sealedFas(client, secret)}`), host());
  const person = { kind: 'mac', value: client.mac };
  const exported = await server.call('/api/v3/portal/person/export', person, owner);
  expect(exported.data).toMatchObject({ sessions: [], requests: [{ guest: 'Ann <b>', state: 'asked' }] });
  const erased = await server.call('/api/v3/portal/person/erase', person, owner);
  expect(erased.data).toMatchObject({ sessions: 0, requests: 1 });
});

it('says that the host refused, or did not answer in time', async () => {
  const [first, second] = [host(), host()];
  const refused = await ask(await arrive(), first);
  await answer(await linkTo(first), 'refused');
  expect(alertOf(await openPage(nextOf(refused)))).toBe('Your host did not approve.');
  const late = await ask(await arrive(), second);
  const link = await linkTo(second);
  clock.advance(16 * 60_000);
  expect((await answer(link, 'approved')).html).toContain('has been answered or has expired');
  expect(alertOf(await openPage(nextOf(late)))).toBe('Your host did not answer in time.');
});

it('asks only hosts of the template, so that guests cannot approve themselves', async () => {
  for (const address of ['me@gmail.example', 'me@evil-corp.example.com', 'other@example.org', '@corp.example.com', ''])
    expect(alertOf(await ask(await arrive(), address))).toBe('This address cannot be a host.');
  for (const name of [' ', '\u202e\u200b', 'visit http://evil.example/login', 'evil.example', 'a@evil.example'])
    expect(alertOf(await ask(await arrive(), host(), name))).toBe(
      'Enter your name, 32 characters at most, without links.',
    );
  const asked = host();
  expect(alertOf(await ask(await arrive(), asked, 'J.R. Sm\u202eith'))).toBeNull();
  await linkTo(asked);
  expect(server.outbox(asked).at(-1)!.params.guest).toBe('J.R. Smith');
  expect(server.outbox('me@gmail.example')).toEqual([]);
});

it('sends the host to the portal, whatever host the guest’s request names', async () => {
  const address = host();
  const { html, url } = await arrive();
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
  const [, state = ''] = /name="state" value="([^"]*)"/.exec(html) ?? [];
  const headers = { host: 'evil.example', 'content-type': 'application/x-www-form-urlencoded' };
  const sent = request(new URL(action, url), { method: 'POST', headers });
  sent.end(
    `${new URLSearchParams({ state, lang: 'en', way: 'sponsor', guest: 'Ann', sponsor: address, step: 'ask' })}`,
  );
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await linkTo(address);
  const { data } = await server.call<{ site: { url: string } }>('/api/v3/portal/site', { gwid: network.gwid }, owner);
  expect(server.outbox(address).at(-1)!.params.url).toMatch(`${data.site.url}sponsor?t=`);
});

it('gains nothing by a forged request or token', async () => {
  const page = await arrive();
  const forged = await submit(page, 'sponsor', { request: '00000000-0000-7000-8000-000000000001' });
  expect(alertOf(forged)).toBe('Enter your name, 32 characters at most, without links.');
  expect((await answer(`${network.base}/sponsor?t=${'x'.repeat(43)}`, 'approved')).html).toContain('has expired');
});

it('brings a guest to a host whom strangers have asked for an hour’s messages, in one a minute', async () => {
  const address = host();
  for (let n = 0; n < 8; n += 1) expect(alertOf(await ask(await arrive(), address, `Stranger ${n}`))).toBeNull();
  const waiting = await ask(await arrive(), address, 'Ann');
  expect(waiting.html).toContain('Waiting for your host');
  const mails = () => server.outbox(address).length;
  await expect.poll(mails).toBe(5);
  const listed = await openPage(await linkTo(address));
  expect(listed.html).toContain('Ann asks for Internet access.');
  clock.advance(61_000);
  await openPage(nextOf(waiting));
  await expect.poll(mails).toBe(6);
  const link = await linkTo(address);
  expect((await answer(link, 'approved')).html).toContain('Stranger 7 asks for Internet access.');
  expect(nextOf(await openPage(nextOf(waiting)))).toContain('opennds_auth');
});

it('names the address whose requests of an hour are used up, and asks for guests of another', async () => {
  const asked = (from: string) =>
    arrive().then((page) => submit(page, 'sponsor', { guest: 'Ann', sponsor: host(), step: 'ask' }, from));
  const all = await Promise.all(Array.from({ length: 61 }, () => asked('203.0.113.7')));
  const refused = all.map(alertOf).filter((text) => text !== null);
  expect(refused).toEqual([expect.stringMatching(/^Too many requests from your public address/)]);
  const began = performance.now();
  for (const from of ['203.0.113.8', '203.0.113.9']) expect(alertOf(await asked(from))).toBeNull();
  expect(performance.now() - began).toBeLessThan(5000);
});
