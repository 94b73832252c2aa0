import { afterAll, beforeAll, expect, it } from 'vitest';
import { portalDraft } from '../../../test/portal-draft.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { alertOf, newClient, nextOf, openPage, plainFas, submit } from './testing/guest.ts';

let server: TestServer;
let owner: Registered;
let id: string;
let gwid: string;
let base: string;

const call = async <T = unknown>(path: string, input: object) => {
  const { code, data, message } = await server.call<T>(`/api/v3/${path}`, input, owner);
  if (code !== 2000) throw new Error(`${path}: ${code} ${message}`);
  return data;
};
const one = { kind: 'one_click', minutes: 60, times_per_day: 0, up_kbps: 0, down_kbps: 0, devices: 1 };
const page = (zh: string, en: string) => ({
  ...portalDraft().page,
  terms: { zh, en },
});
const draft = (zh: string, en: string) => portalDraft({ methods: [one], page: page(zh, en) });
const arrive = (lang = 'en') =>
  openPage(`${base}fas?${plainFas(newClient())}`, { headers: { 'accept-language': lang } });

interface Row {
  id: string;
  terms: { version: number; locale: string } | null;
}
async function accepted() {
  const { list } = await call<{ list: Row[] }>('portal/session/list', { gwid, limit: 1 });
  const { terms } = await call<{ terms: { text: string } | null }>('portal/session/terms', { gwid, id: list[0]!.id });
  return [list[0]!.terms?.locale, list[0]!.terms?.version, terms?.text];
}
async function signIn(lang = 'en') {
  const connecting = await submit(await arrive(lang), 'one_click');
  await openPage(nextOf(connecting));
}

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  id = (await call<{ id: string }>('auth_template/create', { name: 'Terms', ...draft('守法', 'Keep the law') })).id;
  await call('auth_template/publish', { id, revision: 1 });
  gwid = (await call<{ gwid: string }>('network/create', { remark: 'Lobby' })).gwid;
  await call('portal/site/save', { gwid, enabled: true, template_id: id, gateway: 'opennds_1' });
  const { site } = await call<{ site: { url: string } }>('portal/site', { gwid });
  base = `http://127.0.0.1:${server.program.portalPort}${new URL(site.url).pathname}`;
});
afterAll(() => server.stop());

it('keeps the accepted text with its language and version', async () => {
  await signIn('en');
  expect(await accepted()).toEqual(['en', 1, 'Keep the law']);
  await signIn('zh-CN');
  expect(await accepted()).toEqual(['zh-CN', 1, '守法']);
  await signIn('en');
  expect(await accepted()).toEqual(['en', 1, 'Keep the law']);
});

it('counts the text of the network’s own page as its next version, and shows changed terms first', async () => {
  const old = await arrive();
  await call('auth_template/site/save', { gwid, id, revision: 0, page: page('守法', 'Keep the law and the rules') });
  const again = await submit(old, 'one_click');
  expect(alertOf(again)).toBe('The terms of use have just changed. Read them and sign in again.');
  expect(again.html).toContain('Keep the law and the rules');
  await openPage(nextOf(await submit(again, 'one_click')));
  expect(await accepted()).toEqual(['en', 2, 'Keep the law and the rules']);
  await call('auth_template/site/delete', { gwid, id });
  await signIn('en');
  expect(await accepted()).toEqual(['en', 1, 'Keep the law']);
});

it('keeps none where the page has none', async () => {
  await call('auth_template/site/save', { gwid, id, revision: 0, page: page('', '') });
  await signIn('en');
  expect(await accepted()).toEqual([undefined, undefined, undefined]);
});
