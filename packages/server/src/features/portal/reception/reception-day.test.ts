import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedPerson } from '../../../../test/seed-account.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import {
  alertOf,
  type Client,
  contentWith,
  freeLimits,
  grantOpen,
  memoryTemplates,
  newClient,
  openPage,
  sealedFas,
  submit,
} from '../testing/guest.ts';
import { type PortalNetwork, portalNetwork } from '../testing/portal-network.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
const minute = 60_000;
const phone = '13812345678';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15';
let server: TestServer;
let owner: Registered;
let network: PortalNetwork;
let receptionist: As;

interface Guest {
  id: string;
  mac: string;
  identity: string | null;
  expires_at: string | null;
}
interface Try {
  mac: string;
  way: string | null;
  reason: string;
  system: string | null;
  online: boolean;
}

const call = <T>(path: string, input: object, as: As = receptionist) =>
  server.call<T>(`/api/v3/portal/${path}`, { gwid: network.gwid, ...input }, as);
const listed = async <T>(path: string, input: object = {}) =>
  (await call<{ list: T[] }>(`reception/${path}/list`, input)).data.list;
const guests = (keyword = '') => listed<Guest>('guest', { keyword });
const tries = (input: object) => listed<Try>('try', input);

async function member(role: string): Promise<As> {
  const person = await seedPerson(server);
  await server.db.database.systemPool.query(
    'insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, $4, $5)',
    [owner.accountId, person.userId, person.accountId, role, [network.gwid]],
  );
  return { token: person.token, account: owner.accountId };
}

const arrive = (client: Client) =>
  openPage(`${network.base}/fas?${sealedFas(client, network.secret)}`, {
    headers: { 'accept-language': 'en', 'user-agent': iphone },
  });
const tryVoucher = async (client: Client, voucher: string) => submit(await arrive(client), 'voucher', { voucher });

async function makeVouchers(count: number): Promise<{ id: string; codes: string[] }> {
  const terms = { count, minutes: 60, devices: 1, valid_days: 1, characters: 'digits', length: 10 };
  return (await call<{ id: string; codes: string[] }>('voucher/create', { name: 'Desk', ...terms })).data;
}

const logged = async () =>
  (await server.call<{ list: { action: string; result: string }[] }>('/api/v3/log/action/list', {}, owner)).data
    .list[0]!;

const text = async (table: string) =>
  JSON.stringify((await server.db.database.systemPool.query(`select t::text as row from ${table} t`)).rows);

beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
  owner = await server.register();
  const content = contentWith([
    { kind: 'sms', ...freeLimits },
    { kind: 'voucher', ...freeLimits },
    { kind: 'account', ...freeLimits },
  ]);
  network = await portalNetwork(server, owner, templates, { gateway: 'opennds_3', content });
  receptionist = await member('reception');
});
afterAll(() => server.stop());

it('lists guests without their numbers, and finds one by the whole number', async () => {
  const asked = await submit(await arrive(newClient()), 'sms', { phone, step: 'send' });
  await submit(asked, 'sms', { phone, code: server.outbox(phone).at(-1)!.params.code! });
  await grantOpen(network.base);
  const [guest] = await guests();
  expect(guest).toMatchObject({ identity: '138****5678', signs_out: false, extend_hindrance: 'gateway' });
  expect(await guests('+86 138 1234 5678')).toEqual([guest]);
  expect(await guests('13812345670')).toEqual([]);
  expect((await call('session/reveal', { id: guest!.id })).code).toBe(4101);
  expect((await call('guest/list', {})).code).toBe(4101);
});

it('masks an account that is named after a whole number', async () => {
  const [name, password] = ['8613812345679', 'open4guests'];
  const account = { name, password, enabled: true, until: null, devices: 1 };
  expect((await call('member/create', account, owner)).code).toBe(2000);
  const client = newClient();
  await submit(await arrive(client), 'account', { name, password });
  await grantOpen(network.base);
  const [guest] = await guests(client.mac);
  expect(guest!.identity).toBe('861****5679');
});

it('says what a gateway cannot do, and logs that it was asked', async () => {
  const [guest] = await guests();
  const { id } = guest!;
  const extended = await call('reception/guest/extend', { id, minutes: 30 });
  expect(extended.data).toEqual({ result: 'gateway', until: guest!.expires_at });
  expect(await logged()).toMatchObject({ action: 'portal.extend', result: 'failed' });
  expect((await call('reception/guest/sign_out', { id })).data).toEqual({ result: 'unsupported' });
  expect((await call('reception/guest/extend', { id })).code).toBe(422);
});

it('names why a device or a code was refused, and keeps no code', async () => {
  const client = newClient();
  await tryVoucher(client, '0000 1111 22');
  await tryVoucher(newClient(), '3333444455');
  const refused = { mac: client.mac, way: 'voucher', reason: 'voucher_unknown', system: 'iphone', online: false };
  expect(await tries({ keyword: '000-011-1122' })).toMatchObject([refused]);
  expect(await tries({ keyword: client.mac.replaceAll(':', '-').toUpperCase() })).toMatchObject([refused]);
  expect(await tries({})).toHaveLength(2);
  const [guest] = await guests();
  expect(await tries({ id: guest!.id })).toEqual([]);
  for (const code of ['0000111122', '3333444455']) expect(await text('portal_try')).not.toContain(code);
});

it('moves a guest, with the time that is left, to a device that waits on the page', async () => {
  const [old, fresh] = [newClient(), newClient()];
  const { codes } = await makeVouchers(1);
  await tryVoucher(old, codes[0]!);
  await grantOpen(network.base);
  const found = (await guests(old.mac))[0]!;
  const state = async () => (await call('reception/code', { code: codes[0] })).data;
  expect(await state()).toMatchObject({ state: 'running', until: found.expires_at, devices: { online: 1, of: 1 } });
  clock.advance(20 * minute);
  expect(alertOf(await tryVoucher(fresh, codes[0]!))).toContain('device');
  const [waiting] = await listed<{ id: string; mac: string; reason: string }>('waiting');
  expect(waiting).toMatchObject({ mac: fresh.mac, reason: 'devices' });
  const move = (visit: string) => call('reception/guest/move', { id: found.id, visit });
  expect((await move(waiting!.id)).data).toEqual({ result: 'ready', old_ends: false });
  expect(await logged()).toMatchObject({ action: 'portal.move', result: 'success' });
  expect(await guests(old.mac)).toEqual([]);
  const gone = await call('reception/guest/extend', { id: found.id, minutes: 30 });
  expect(gone).toMatchObject({ code: 4104, message: expect.stringContaining('no longer online') });
  expect((await arrive(fresh)).html).not.toContain('name="voucher"');
  await grantOpen(network.base);
  expect(await guests(fresh.mac)).toMatchObject([{ identity: found.identity, expires_at: found.expires_at }]);
  expect(alertOf(await tryVoucher(old, codes[0]!))).toContain('device');
  const [moved] = await guests(fresh.mac);
  expect(await call('reception/guest/move', { id: moved!.id, visit: waiting!.id })).toMatchObject({
    code: 422,
    errors: { visit: [expect.any(String)] },
  });
  clock.advance(60 * minute);
  expect(await state()).toMatchObject({ state: 'over', batch: 'Desk' });
  expect((await call('reception/code', { code: '0000000000' })).data).toMatchObject({ state: 'unknown' });
});

it('prints vouchers again, not those that are void or were made before codes were kept', async () => {
  const { id, codes } = await makeVouchers(3);
  const [used, voided] = codes;
  await tryVoucher(newClient(), used!);
  await grantOpen(network.base);
  await call('voucher/void', { id, code: voided });
  const reveal = (as: As = receptionist) =>
    call<{ vouchers: { code: string; used: boolean }[] }>('voucher/reveal', { id }, as);
  const { vouchers } = (await reveal()).data;
  const expected = codes.filter((code) => code !== voided).map((code) => ({ code, used: code === used }));
  expect(vouchers.toSorted((a, b) => a.code.localeCompare(b.code))).toEqual(
    expected.toSorted((a, b) => a.code.localeCompare(b.code)),
  );
  expect(await logged()).toMatchObject({ action: 'voucher_batch.reveal', result: 'success' });
  for (const code of codes) expect(await text('portal_voucher')).not.toContain(code);
  expect((await reveal(await member('auditor'))).code).toBe(4101);
  await server.db.database.systemPool.query('update portal_voucher set code_sealed = null where batch_id = $1', [id]);
  const { list } = (await call<{ list: { id: string; kept: boolean }[] }>('voucher/list', {})).data;
  expect(list.find((batch) => batch.id === id)).toMatchObject({ kept: false });
  expect(await reveal()).toMatchObject({ code: 422, errors: { id: [expect.any(String)] } });
});

it('shows no refusal for longer than a day', async () => {
  expect(await tries({})).not.toEqual([]);
  clock.advance(25 * 60 * minute);
  expect(await tries({})).toEqual([]);
});
