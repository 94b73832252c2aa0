import { afterAll, beforeAll, expect, it } from 'vitest';
import { portalDraft } from '../../../test/portal-draft.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { newClient, openPage, plainFas } from '../portal/testing/guest.ts';

let server: TestServer;
let owner: Registered;
let id: string;
let lobby: { gwid: string; url: string };
let cafe: { gwid: string; url: string };

const call = <T = unknown>(path: string, input: object) => server.call<T>(`/api/v3/${path}`, input, owner);

async function network(remark: string): Promise<{ gwid: string; url: string }> {
  const { gwid } = (await call<{ gwid: string }>('network/create', { remark })).data;
  await call('portal/site/save', { gwid, enabled: true, template_id: id, gateway: 'opennds_1' });
  const { site } = (await call<{ site: { url: string } }>('portal/site', { gwid })).data;
  const { pathname } = new URL(site.url);
  return { gwid, url: `http://127.0.0.1:${server.program.portalPort}${pathname}fas` };
}

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  id = (await call<{ id: string }>('auth_template/create', { name: 'Shops', ...portalDraft() })).data.id;
  await call('auth_template/publish', { id, revision: 1 });
  lobby = await network('Lobby');
  cafe = await network('Cafe');
});
afterAll(() => server.stop());

const { page } = portalDraft();
const ownPage = { ...page, title: { zh: '大堂欢迎您', en: 'Welcome to the lobby' } };
const detail = async ({ gwid }: { gwid: string }) =>
  (await call<{ own: boolean; revision: number }>('auth_template/site/detail', { gwid, id })).data;
const save = ({ gwid }: { gwid: string }, revision: number, more: object = {}) =>
  call('auth_template/site/save', { gwid, id, revision, page: { ...ownPage, ...more } });
const shown = async ({ url }: { url: string }) => (await openPage(`${url}?${plainFas(newClient())}`)).html;

it('begins with the page of the template', async () => {
  expect(await detail(lobby)).toMatchObject({
    name: 'Shops',
    network: 'Lobby',
    own: false,
    in_use: true,
    revision: 0,
    methods: ['password'],
    page: { title: { en: 'Welcome' } },
  });
});

it('shows a saved page to the guests of its network only', async () => {
  expect(await save(lobby, 0)).toMatchObject({ code: 2000, data: { revision: 1 } });
  expect(await shown(lobby)).toContain('Welcome to the lobby');
  expect(await shown(cafe)).not.toContain('Welcome to the lobby');
  expect(await detail(cafe)).toMatchObject({ own: false });
});

it('keeps the own page when the template is published again', async () => {
  const changed = portalDraft({ page: { ...page, title: { zh: '欢迎', en: 'Good day' } } });
  await call('auth_template/save', { id, revision: 1, name: 'Shops', ...changed });
  await call('auth_template/publish', { id, revision: 2 });
  expect(await shown(lobby)).toContain('Welcome to the lobby');
  expect(await shown(cafe)).toContain('Good day');
});

it('refuses a save over a newer one, and a page without a title', async () => {
  expect(await save(lobby, 0)).toMatchObject({ code: 4104, data: { revision: 1 } });
  expect(await save(lobby, 1, { title: { zh: ' ', en: '' } })).toMatchObject({ code: 422 });
});

it('shows the page of the template again once the own one is removed', async () => {
  const { gwid } = lobby;
  expect(await call('auth_template/site/delete', { gwid, id })).toMatchObject({ code: 2000 });
  expect(await shown(lobby)).toContain('Good day');
  expect(await call('auth_template/site/delete', { gwid, id })).toMatchObject({ code: 4113 });
});
