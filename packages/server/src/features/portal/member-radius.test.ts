import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { attribute, vendorAttribute, vendorBytesOf } from '../radius/dictionary.ts';
import { type Attribute, codes, decodePacket } from '../radius/packet.ts';
import { type Sender, senderAt } from '../radius/testing/fixture.ts';
import { accessRequest, accountingRequest, msChap2Attributes } from '../radius/testing/requests.ts';
import { contentWith, freeLimits, memoryTemplates } from './testing/guest.ts';
import { portalNetwork } from './testing/portal-network.ts';

const templates = memoryTemplates();
const opened = { port: 0, isChosen: true };
const [name, password] = ['reception', 'open4guests'];
let server: TestServer;
let owner: Registered;
let gwid: string;
let secret: string;
let sender: Sender;
let sources = 100;

const call = <T = unknown>(path: string, input: object) => server.call<T>(`/api/v3/${path}`, input, owner);

beforeAll(async () => {
  const config = { radiusAuthPort: opened, radiusAcctPort: opened };
  server = await startTestServer({ portalTemplates: templates, config });
});
beforeEach(async () => {
  owner = await server.register();
  await open();
});
async function open(limits: Partial<typeof freeLimits> = {}) {
  const content = contentWith([{ kind: 'account', ...freeLimits, ...limits }]);
  ({ gwid } = await portalNetwork(server, owner, templates, { gateway: 'uam', content }));
  sources += 1;
  const source = `127.0.1.${sources}`;
  const nas = { name: `NAS-${sources}`, gwid, source, identifier: null, require_ma: false, coa_port: 3799 };
  secret = (await call<{ secret: string }>('radius/nas/create', nas)).data.secret;
  sender = await senderAt(source);
}
afterAll(() => server.stop());

const fields = { enabled: true, until: null, devices: 2 };
const create = async (more: object) =>
  (await call<{ id: string }>('portal/member/create', { gwid, name, password, ...fields, ...more })).data.id;
async function answer(packet: Buffer, port: 'auth' | 'acct') {
  const before = sender.answers.length;
  sender.send(packet, server.program.radiusPorts[port]!);
  await expect.poll(() => sender.answers.length).toBe(before + 1);
  return decodePacket(sender.answers.at(-1)!);
}
let identifier = 0;
async function signIn(typed: string, mac = '02-00-00-00-0B-01', session = 'S-1') {
  identifier = (identifier + 1) % 256;
  const { challenge, response, success } = msChap2Attributes(name, typed);
  const attributes: Attribute[] = [
    attribute('Calling-Station-Id', mac),
    attribute('Acct-Session-Id', session),
    vendorAttribute('Microsoft-CHAP-Challenge', challenge),
    vendorAttribute('Microsoft-CHAP2-Response', response),
  ];
  const packet = await answer(
    accessRequest({ secret, username: name, pap: false, signs: true, identifier, attributes }),
    'auth',
  );
  return { packet, success };
}
const online = async () => (await call<{ list: object[] }>('portal/guest/list', { gwid })).data.list;

it('lets an account in by MS-CHAPv2 whose password is kept for it, and takes its accounting', async () => {
  await create({ radius: true });
  expect((await call<{ list: object[] }>('portal/member/list', { gwid })).data.list).toMatchObject([{ radius: true }]);
  const { packet, success } = await signIn(password);
  expect(packet.code).toBe(codes.accessAccept);
  expect(vendorBytesOf(packet, 'Microsoft-CHAP2-Success')!.subarray(1).toString()).toBe(success);
  expect((await signIn(password, '02-00-00-00-0B-02', 'S-2')).packet.code).toBe(codes.accessAccept);
  expect((await signIn(password, '02-00-00-00-0B-03', 'S-3')).packet.code).toBe(codes.accessReject);
  expect(await online()).toMatchObject([{ identity: name }, { identity: name }]);
  const stop = accountingRequest(secret, 1, [
    attribute('Acct-Status-Type', 2),
    attribute('Acct-Session-Id', 'S-1'),
    attribute('User-Name', name),
    attribute('Acct-Session-Time', 60),
    attribute('Acct-Output-Octets', 7),
  ]);
  expect((await answer(stop, 'acct')).code).toBe(codes.accountingResponse);
  expect(await online()).toMatchObject([{ mac: '02:00:00:00:0b:02' }]);
});

it('rejects an account without the choice, and one that is off', async () => {
  const id = await create({});
  expect((await signIn(password)).packet.code).toBe(codes.accessReject);
  const save = (more: object) => call('portal/member/save', { gwid, id, ...fields, ...more });
  expect(await save({ radius: true })).toMatchObject({ code: 422, errors: { password: [expect.any(String)] } });
  expect(await save({ radius: true, password: 'changed4all' })).toMatchObject({ code: 2000 });
  expect((await signIn('changed4all')).packet.code).toBe(codes.accessAccept);
  await save({ enabled: false });
  expect((await signIn('changed4all')).packet.code).toBe(codes.accessReject);
  await save({ radius: false });
  const { rows } = await server.db.database.systemPool.query(
    'select radius_sealed from portal_member where account_id = $1',
    [owner.accountId],
  );
  expect(rows).toEqual([{ radius_sealed: null }]);
});

it('says on the RADIUS client why a right password was refused', async () => {
  const list = () => call<{ list: { refusal: string | null }[] }>('radius/nas/list', { gwid });
  const refusal = async () => (await list()).data.list[0]!.refusal;
  const id = await create({ devices: 1, radius: true });
  await signIn(password, '02-00-00-00-0E-01', 'S-1');
  await signIn(password, '02-00-00-00-0E-02', 'S-2');
  await expect.poll(refusal).toBe('devices');
  await signIn('guess', '02-00-00-00-0E-03', 'S-3');
  await expect.poll(refusal).toBe('unknown_user');
  const save = (more: object) => call('portal/member/save', { gwid, id, ...fields, ...more });
  await save({ enabled: false });
  await signIn(password, '02-00-00-00-0E-04', 'S-4');
  await expect.poll(refusal).toBe('account_off');
  await save({ radius: false });
  await signIn(password, '02-00-00-00-0E-05', 'S-5');
  await expect.poll(refusal).toBe('not_over_radius');

  await open({ times_per_day: 1 });
  await create({ radius: true });
  const mac = '02-00-00-00-0E-06';
  expect((await signIn(password, mac, 'S-6')).packet.code).toBe(codes.accessAccept);
  await signIn(password, mac, 'S-7');
  await expect.poll(refusal).toBe('times');
});

it('refuses none of 64 right passwords at once', async () => {
  await create({ radius: true, devices: 64 });
  await signIn(password, '02-00-00-00-0D-00', 'S-0');
  const before = sender.answers.length;
  for (let n = 0; n < 64; n += 1) {
    const { challenge, response } = msChap2Attributes(name, password);
    const mac = `02-00-00-00-0D-${n.toString(16).padStart(2, '0')}`;
    const attributes = [
      attribute('Calling-Station-Id', mac),
      attribute('Acct-Session-Id', `S-${n}`),
      vendorAttribute('Microsoft-CHAP-Challenge', challenge),
      vendorAttribute('Microsoft-CHAP2-Response', response),
    ];
    const request = { secret, username: name, pap: false, signs: true, identifier: n, attributes };
    sender.send(accessRequest(request), server.program.radiusPorts.auth!);
  }
  await expect.poll(() => sender.answers.length).toBe(before + 64);
  const answered = sender.answers.slice(before).map((bytes) => decodePacket(bytes).code);
  expect(new Set(answered)).toEqual(new Set([codes.accessAccept]));
});

it('slows guesses at an account from ever new devices, and lets its owner in', async () => {
  await create({ radius: true });
  const guess = (typed: string, mac: number) => signIn(typed, `02-00-00-00-0C-${mac.toString(16).padStart(2, '0')}`);
  for (let n = 0; n < 23; n += 1) expect((await guess('guess', n)).packet.code).toBe(codes.accessReject);
  const began = performance.now();
  expect((await guess(password, 0x50)).packet.code).toBe(codes.accessAccept);
  expect(performance.now() - began).toBeLessThan(5000);
});
