import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { pruneSessions } from './retention.ts';
import {
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

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
const phone = '13812345678';
let server: TestServer;
let owner: Registered;
let network: PortalNetwork;

beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
});
afterAll(() => server.stop());

const call = async <T>(path: string, input: object): Promise<T> => {
  const { code, data, message } = await server.call<T>(`/api/v3/portal/${path}`, input, owner);
  if (code !== 2000) throw new Error(`${path}: ${code} ${message}`);
  return data;
};
const arrive = () => openPage(`${network.base}/fas?${plainFas(newClient())}`);
async function bySms(number: string) {
  const asked = await submit(await arrive(), 'sms', { phone: number, step: 'send' });
  const { code } = server.outbox(number).at(-1)!.params;
  await openPage(nextOf(await submit(asked, 'sms', { phone: number, code: code! })));
}
const real = { name: '李伟', id_card: '11010519491231002X' };
const member = { name: 'LiWei', password: 'open4guests', enabled: true, until: null, devices: 2, real };

beforeAll(async () => {
  owner = await server.register();
  const content = contentWith([
    { kind: 'sms', ...freeLimits },
    { kind: 'account', ...freeLimits },
  ]);
  network = await portalNetwork(server, owner, templates, { gateway: 'opennds_1', content });
  await call('member/create', { gwid: network.gwid, ...member });
  await bySms(phone);
  await submit(await arrive(), 'sms', { phone, code: '000000' });
  await bySms('13900001234');
  await openPage(nextOf(await submit(await arrive(), 'account', { name: 'LiWei', password: 'open4guests' })));
});

const total = async (keyword = '') => (await call<{ total: number }>('session/list', { keyword })).total;
const text = async (table: string) =>
  JSON.stringify((await server.db.database.systemPool.query(`select t::text as row from ${table} t`)).rows);

it('exports all that is kept of one guest and logs it with the masked number', async () => {
  const exported = await call('person/export', { kind: 'phone', value: '138 1234 5678' });
  expect(exported).toMatchObject({
    sessions: [
      { network: 'Lobby', method: 'sms', identity: phone, terms: { version: 1, locale: 'en', text: 'Be kind' } },
    ],
    codes: [{ network: 'Lobby' }],
    accounts: [],
    visits: expect.arrayContaining([
      expect.objectContaining({ network: 'Lobby', way: 'sms', reason: 'code_wrong' }),
      expect.objectContaining({ network: 'Lobby', way: null, reason: null }),
    ]),
  });
  expect(await call('person/export', { kind: 'account', value: 'liwei' })).toMatchObject({
    sessions: [{ identity: 'LiWei (李伟, 11010519491231002X)' }],
    accounts: [{ name: 'LiWei' }],
  });
  for (const table of ['operation_log', 'portal_member', 'portal_session', 'portal_try', 'sms_message'])
    for (const secret of [phone, real.id_card, real.name]) expect(await text(table)).not.toContain(secret);
  const wrong = { gwid: network.gwid, ...member, name: 'Ann', real: { name: 'Ann', id_card: '123' } };
  expect((await server.call('/api/v3/portal/member/create', wrong, owner)).code).toBe(422);
  expect((await server.call('/api/v3/portal/person/export', { kind: 'phone', value: '123' }, owner)).code).toBe(422);
});

it('erases one guest, keeps the others and the figures, and counts who is still online', async () => {
  const erase = (kind: string, value: string) => call('person/erase', { kind, value });
  expect(await erase('phone', phone)).toEqual({
    sessions: 0,
    codes: 1,
    invoices: 0,
    accounts: 0,
    requests: 0,
    tries: 1,
    online: 1,
  });
  await server.db.database.systemPool.query("update portal_session set state = 'ended', ended_at = now()");
  const mac = /[0-9a-f]{2}(:[0-9a-f]{2}){5}/.exec(
    await text("(select mac from portal_session where method = 'sms')"),
  )![0];
  expect(await erase('phone', phone)).toEqual({
    sessions: 1,
    codes: 0,
    invoices: 0,
    accounts: 0,
    requests: 0,
    tries: 0,
    online: 0,
  });
  expect(await total(phone)).toBe(0);
  for (const table of ['portal_session', 'portal_visit']) expect(await text(table)).not.toContain(mac);
  expect(await total('13900001234')).toBe(1);
  expect(await erase('account', 'LIWEI')).toEqual({
    sessions: 1,
    codes: 0,
    accounts: 1,
    invoices: 0,
    requests: 0,
    tries: 0,
    online: 0,
  });
  expect(await text('portal_member')).not.toContain('LiWei');
  expect(await total()).toBe(3);
  expect(await call('person/export', { kind: 'phone', value: phone })).toEqual({
    sessions: [],
    invoices: [],
    codes: [],
    accounts: [],
    requests: [],
    visits: [],
  });
});

it('keeps sessions for as many days as the account says', async () => {
  expect(await call('retention', {})).toEqual({ days: 180 });
  const prune = (days: number) =>
    server.db.database.withSystem((tx) => pruneSessions(tx, new Date(clock.now().getTime() + days * 86_400_000)));
  await prune(179);
  expect(await total()).toBe(3);
  await call('retention/save', { days: 365 });
  await prune(364);
  expect(await total()).toBe(3);
  await prune(366);
  expect(await total()).toBe(0);
  expect(await text('portal_sms')).toBe('[]');
  expect((await server.call('/api/v3/portal/retention/save', { days: 30 }, owner)).code).toBe(422);
});
