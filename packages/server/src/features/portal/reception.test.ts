import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedPerson } from '../../../test/seed-account.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { contentWith, freeLimits, memoryTemplates } from './testing/guest.ts';
import { type PortalNetwork, portalNetwork } from './testing/portal-network.ts';

const templates = memoryTemplates();
let server: TestServer;
let owner: Registered;
let network: PortalNetwork;

beforeAll(async () => {
  server = await startTestServer({ portalTemplates: templates });
  owner = await server.register();
  const content = contentWith([{ kind: 'voucher', ...freeLimits }]);
  network = await portalNetwork(server, owner, templates, { gateway: 'opennds_1', content });
});
afterAll(() => server.stop());

async function reception(gwids: string[] | null): Promise<As> {
  const person = await seedPerson(server);
  await server.db.database.systemPool.query(
    "insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, 'reception', $4)",
    [owner.accountId, person.userId, person.accountId, gwids],
  );
  return { token: person.token, account: owner.accountId };
}
const batch = () => ({
  gwid: network.gwid,
  name: 'Desk',
  count: 2,
  minutes: 60,
  devices: 1,
  valid_days: 1,
  characters: 'digits',
  length: 8,
});

it('lets a reception make vouchers of the networks with a portal, and see nothing else', async () => {
  const member = await reception(null);
  const call = <T>(path: string, input: object) => server.call<T>(`/api/v3/${path}`, input, member);
  const { data } = await call<{ list: unknown[] }>('portal/voucher/network/list', {});
  expect(data.list).toEqual([{ gwid: network.gwid, name: 'Lobby' }]);
  const made = await call<{ codes: string[] }>('portal/voucher/create', batch());
  expect(made).toMatchObject({ code: 2000, data: { codes: [expect.any(String), expect.any(String)] } });
  const list = await call<{ list: { total: number }[] }>('portal/voucher/list', { gwid: network.gwid });
  expect(list.data.list).toMatchObject([{ name: 'Desk', total: 2 }]);
  for (const path of ['portal/guest/list', 'portal/session/list', 'portal/member/list', 'portal/site', 'network/list'])
    expect([path, (await call(path, { gwid: network.gwid })).code]).toEqual([path, 4101]);
});

it('makes no codes that are short for those that are valid in the network', async () => {
  const call = <T>(path: string, input: object) => server.call<T>(`/api/v3/portal/voucher/${path}`, input, owner);
  const { gwid } = network;
  const count = async () => (await call<{ valid: number }>('count', { gwid })).data.valid;
  const six = { ...batch(), characters: 'digits', length: 6, count: 1 };
  const voidAll = async () => {
    const { data } = await call<{ list: { id: string }[] }>('list', { gwid });
    for (const { id } of data.list) await call('void', { gwid, id });
    return count();
  };
  expect(await voidAll()).toBe(0);
  expect(await call('create', six)).toMatchObject({ code: 2000 });
  expect(await call('create', six)).toMatchObject({
    errors: {
      length: ['Use at least 7 characters: of all possible codes, one in a million may be valid in this network.'],
    },
  });
  expect(await call('create', { ...batch(), count: 99 })).toMatchObject({ code: 2000 });
  expect(await count()).toBe(100);
  expect(await call('create', batch())).toMatchObject({
    code: 422,
    errors: { length: [expect.stringContaining('9')] },
  });
  expect(await call('create', { ...batch(), characters: 'mixed', length: 6, count: 900 })).toMatchObject({
    code: 2000,
  });
  expect(await voidAll()).toBe(0);
  expect(await call('create', six)).toMatchObject({ code: 2000 });
});

it('keeps a reception of other networks out', async () => {
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Cafe' }, owner);
  const member = await reception([data.gwid]);
  const list = await server.call<{ total: number }>('/api/v3/portal/voucher/network/list', {}, member);
  expect(list.data.total).toBe(0);
  expect((await server.call('/api/v3/portal/voucher/create', batch(), member)).code).toBe(4113);
});
