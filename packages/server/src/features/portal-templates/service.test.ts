import { afterAll, beforeAll, expect, it } from 'vitest';
import { portalDraft } from '../../../test/portal-draft.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { bySystem } from '../../platform/acting.ts';
import { systemClock } from '../../platform/clock.ts';
import { createAccountKeys } from '../../platform/crypto/account-keys.ts';
import { createSealer } from '../../platform/crypto/index.ts';
import { createPictureDecoder } from './picture-decoder.ts';
import { createPictures } from './pictures.ts';
import { createTemplateService, type TemplateSite } from './service.ts';

let server: TestServer;
let owner: Registered;
let id: string;
const sites: TemplateSite[] = [];
/** A network without a page of its own. */
const lobby = '00000000-0000-4000-8000-000000000001';

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  ({ id } = await call<{ id: string }>('create', { name: 'Cafe', ...portalDraft() }));
});
afterAll(() => server.stop());

async function call<T>(path: string, input: object): Promise<T> {
  const answer = await server.call<T>(`/api/v3/auth_template/${path}`, input, owner);
  expect(answer, JSON.stringify(answer)).toMatchObject({ code: 2000 });
  return answer.data;
}

function service() {
  const { database } = server.db;
  const pictures = createPictures({ database, clock: systemClock, decoder: createPictureDecoder('unused') });
  return createTemplateService({
    clock: systemClock,
    keys: createAccountKeys(createSealer(server.db.masterKey)),
    pictures,
    privateAddresses: true,
    whitelistChanged: async () => null,
    contentChanged: () => undefined,
    usedBy: async (_tx, _accountId, ids) => new Map(ids.map((one) => [one, sites])),
  });
}

it('gives guests the published version with its password, never the draft', async () => {
  const { contentsOf } = service();
  const read = () =>
    server.db.database.withSystem(async (tx) => {
      const contents = await contentsOf(tx, [{ templateId: id, gwid: lobby }]);
      return contents.get(lobby) ?? null;
    });
  expect(await read()).toBeNull();
  await call('publish', { id, revision: 1 });
  await call('save', { id, revision: 1, name: 'Cafe', ...portalDraft({ remember_days: 9 }) });
  expect(await read()).toMatchObject({
    version: 1,
    name: 'Cafe',
    content: { remember_days: 0, methods: [{ kind: 'password', password: 'welcome-2026' }] },
  });
});

it('names the networks that use a template, and refuses to delete it', async () => {
  const templates = service();
  const acting = bySystem(owner.accountId);
  const within = server.db.database.withSystem;
  sites.push({ gwid: lobby, name: 'Lobby' });
  expect(await within((tx) => templates.detail(tx, acting, { id }))).toMatchObject({ networks: sites });
  expect((await within((tx) => templates.list(tx, acting, {}))).list).toMatchObject([{ networks: 1 }]);
  await expect(within((tx) => templates.remove(tx, acting, id))).rejects.toMatchObject({
    code: 'inUse',
    data: { refs: [sites[0]!.gwid] },
    params: { kind: 'portal', networks: 1 },
  });
  expect(await within((tx) => templates.publish(tx, acting, { id, revision: 2 }))).toEqual({ version: 2, networks: 1 });
  sites.pop();
  expect(await within((tx) => templates.remove(tx, acting, id))).toEqual({});
});
