import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedPerson } from '../../../test/seed-account.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import {
  type Client,
  contentWith,
  freeLimits,
  memoryTemplates,
  newClient,
  nextOf,
  openPage,
  plainFas,
  submit,
} from './testing/guest.ts';
import { type PortalNetwork, portalNetwork } from './testing/portal-network.ts';

const templates = memoryTemplates();
const phone = '13812345678';
let server: TestServer;
let owner: Registered;
let network: PortalNetwork;
let guest: Client;

beforeAll(async () => {
  server = await startTestServer({ portalTemplates: templates });
  owner = await server.register();
  const content = contentWith([
    { kind: 'sms', ...freeLimits },
    { kind: 'account', ...freeLimits },
  ]);
  network = await portalNetwork(server, owner, templates, { gateway: 'opennds_1', content });
  const member = { name: 'ZhangSan', password: 'open4guests', enabled: true, until: null, devices: 2 };
  await server.call('/api/v3/portal/member/create', { gwid: network.gwid, ...member }, owner);
  guest = newClient();
  const page = await openPage(`${network.base}/fas?${plainFas(guest)}`);
  const asked = await submit(page, 'sms', { phone, step: 'send' });
  const { code } = server.outbox(phone).at(-1)!.params;
  await openPage(nextOf(await submit(asked, 'sms', { phone, code: code! })));
  const other = await openPage(`${network.base}/fas?${plainFas(newClient())}`);
  await submit(other, 'account', { name: 'zhangsan', password: 'open4guests' });
});
afterAll(() => server.stop());

interface Row {
  id: string;
  mac: string;
  identity: string;
  masked: boolean;
  state: string;
}
const found = async (keyword: string, more: object = {}, as: As = owner) =>
  (await server.call<{ list: Row[]; total: number }>('/api/v3/portal/session/list', { keyword, ...more }, as)).data;
const identities = async (keyword: string) => (await found(keyword)).list.map(({ identity }) => identity);

it('finds sessions by phone, name and MAC in any notation', async () => {
  for (const typed of [phone, '+86 138-1234-5678', '138****5678'])
    expect(await identities(typed)).toEqual(['138****5678']);
  const hex = guest.mac.replaceAll(':', '');
  const dotted = hex.replace(/(....)(?=.)/g, '$1.');
  for (const typed of [guest.mac, guest.mac.toUpperCase().replaceAll(':', '-'), dotted, hex])
    expect(await identities(typed)).toEqual(['138****5678']);
  expect(await identities('ZHANG')).toEqual(['ZhangSan']);
  expect(await identities('13812345679')).toEqual([]);
  expect((await found('', { gwid: network.gwid, method: 'account' })).total).toBe(1);
});

it('finds guests in the search of the console by their number and name', async () => {
  const query = async (keyword: string) =>
    (await server.call<{ list: object[] }>('/api/v3/search/query', { keyword, kinds: ['guest'] }, owner)).data.list;
  const hit = { kind: 'guest', gwid: network.gwid, network: 'Lobby' };
  expect(await query('138 1234 5678')).toMatchObject([{ ...hit, title: '138****5678', type: 'sms', match: 'exact' }]);
  expect(await query('zhang')).toMatchObject([{ ...hit, title: 'ZhangSan', type: 'account', match: 'start' }]);
  expect(await query('13812345679')).toEqual([]);
});

it('keeps ended sessions', async () => {
  await server.db.database.systemPool.query(
    "update portal_session set state = 'ended', ended_at = now(), end_reason = 'expired' where gwid = $1 and method = 'sms'",
    [network.gwid],
  );
  expect((await found('', { state: 'ended' })).list).toMatchObject([
    { identity: '138****5678', end_reason: 'expired' },
  ]);
  expect((await found('', { state: 'online' })).list).toMatchObject([{ identity: 'ZhangSan' }]);
});

it('reveals a number to those with the permission and logs it', async () => {
  const [row] = (await found(phone)).list;
  const reveal = (as: As) =>
    server.call<{ identity: string }>('/api/v3/portal/session/reveal', { gwid: network.gwid, id: row!.id }, as);
  expect(row).toMatchObject({ masked: true });
  const auditor = await seedPerson(server);
  await server.db.database.systemPool.query(
    "insert into member (account_id, person_id, person_account_id, role) values ($1, $2, $3, 'auditor')",
    [owner.accountId, auditor.userId, auditor.accountId],
  );
  const asAuditor = { token: auditor.token, account: owner.accountId };
  expect((await found(phone, {}, asAuditor)).total).toBe(1);
  expect((await reveal(asAuditor)).code).toBe(4101);
  expect((await reveal(owner)).data.identity).toBe(phone);
  const { data } = await server.call<{ list: { action: string }[] }>('/api/v3/log/action/list', { limit: 5 }, owner);
  expect(data.list.map(({ action }) => action)).toContain('portal.reveal');
});

it('keeps no number in clear', async () => {
  const { rows } = await server.db.database.systemPool.query('select portal_session::text as row from portal_session');
  expect(JSON.stringify(rows)).not.toContain(phone);
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(phone).toString('hex'));
});
