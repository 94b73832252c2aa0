import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { attribute, vendorBytesOf } from '../../radius/dictionary.ts';
import { codes, decodePacket } from '../../radius/packet.ts';
import { memoryTemplates } from '../testing/guest.ts';
import { type MemberNetwork, name, openMembers, password } from '../testing/radius-members.ts';

const templates = memoryTemplates();
const opened = { port: 0, isChosen: true };
let server: TestServer;
let owner: Registered;
let network: MemberNetwork;

beforeAll(async () => {
  const config = { radiusAuthPort: opened, radiusAcctPort: opened };
  server = await startTestServer({ portalTemplates: templates, config });
});
beforeEach(async () => {
  owner = await server.register();
  network = await openMembers(server, owner, templates);
});
afterAll(() => server.stop());

const signIn = (typed: string, mac?: string, session?: string) =>
  network.signIn({ typed, ...(mac ? { mac } : {}), ...(session ? { session } : {}) });

it('lets an account in by MS-CHAPv2 whose password is kept for it, and takes its accounting', async () => {
  const { gwid, call, online } = network;
  await network.create({ radius: true });
  expect((await call<{ list: object[] }>('portal/member/list', { gwid })).data.list).toMatchObject([{ radius: true }]);
  const { packet, success } = await signIn(password);
  expect(packet.code).toBe(codes.accessAccept);
  expect(vendorBytesOf(packet, 'Microsoft-CHAP2-Success')!.subarray(1).toString()).toBe(success);
  expect((await signIn(password, '02-00-00-00-0B-02', 'S-2')).packet.code).toBe(codes.accessAccept);
  expect((await signIn(password, '02-00-00-00-0B-03', 'S-3')).packet.code).toBe(codes.accessReject);
  expect(await online()).toMatchObject([{ identity: name }, { identity: name }]);
  const bytes = [attribute('Acct-Session-Time', 60), attribute('Acct-Output-Octets', 7)];
  expect((await network.account('stop', 'S-1', bytes)).code).toBe(codes.accountingResponse);
  expect(await online()).toMatchObject([{ mac: '02:00:00:00:0b:02' }]);
});

it('rejects an account without the choice, and one that is off', async () => {
  const id = await network.create({});
  expect((await signIn(password)).packet.code).toBe(codes.accessReject);
  expect(await network.save(id, { radius: true })).toMatchObject({
    code: 422,
    errors: { password: [expect.any(String)] },
  });
  expect(await network.save(id, { radius: true, password: 'changed4all' })).toMatchObject({ code: 2000 });
  expect((await signIn('changed4all')).packet.code).toBe(codes.accessAccept);
  await network.save(id, { enabled: false });
  expect((await signIn('changed4all')).packet.code).toBe(codes.accessReject);
  await network.save(id, { radius: false });
  const { rows } = await server.db.database.systemPool.query(
    'select radius_sealed from portal_member where account_id = $1',
    [owner.accountId],
  );
  expect(rows).toEqual([{ radius_sealed: null }]);
});

it('says on the RADIUS client why a right password was refused', async () => {
  const list = () => network.call<{ list: { refusal: string | null }[] }>('radius/nas/list', { gwid: network.gwid });
  const refusal = async () => (await list()).data.list[0]!.refusal;
  const id = await network.create({ devices: 1, radius: true });
  await signIn(password, '02-00-00-00-0E-01', 'S-1');
  await signIn(password, '02-00-00-00-0E-02', 'S-2');
  await expect.poll(refusal).toBe('devices');
  await signIn('guess', '02-00-00-00-0E-03', 'S-3');
  await expect.poll(refusal).toBe('unknown_user');
  await network.save(id, { enabled: false });
  await signIn(password, '02-00-00-00-0E-04', 'S-4');
  await expect.poll(refusal).toBe('account_off');
  await network.save(id, { radius: false });
  await signIn(password, '02-00-00-00-0E-05', 'S-5');
  await expect.poll(refusal).toBe('not_over_radius');

  network = await openMembers(server, owner, templates, { times_per_day: 1 });
  await network.create({ radius: true });
  const mac = '02-00-00-00-0E-06';
  expect((await signIn(password, mac, 'S-6')).packet.code).toBe(codes.accessAccept);
  await network.account('stop', 'S-6');
  await signIn(password, mac, 'S-7');
  await expect.poll(refusal).toBe('times');
});

it('refuses none of 64 right passwords at once', async () => {
  await network.create({ radius: true, devices: 64 });
  await signIn(password, '02-00-00-00-0D-00', 'S-0');
  const { sender } = network;
  const before = sender.answers.length;
  for (let n = 0; n < 64; n += 1) {
    const { packet } = network.request({
      mac: `02-00-00-00-0D-${n.toString(16).padStart(2, '0')}`,
      session: `S-${n}`,
    });
    sender.send(packet, server.program.radiusPorts.auth!);
  }
  await expect.poll(() => sender.answers.length).toBe(before + 64);
  const answered = sender.answers.slice(before).map((bytes) => decodePacket(bytes).code);
  expect(new Set(answered)).toEqual(new Set([codes.accessAccept]));
});

it('slows guesses at an account from ever new devices, and lets its owner in', async () => {
  await network.create({ radius: true });
  const guess = (typed: string, mac: number) => signIn(typed, `02-00-00-00-0C-${mac.toString(16).padStart(2, '0')}`);
  for (let n = 0; n < 23; n += 1) expect((await guess('guess', n)).packet.code).toBe(codes.accessReject);
  const began = performance.now();
  expect((await guess(password, 0x50)).packet.code).toBe(codes.accessAccept);
  expect(performance.now() - began).toBeLessThan(5000);
});
