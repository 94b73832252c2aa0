import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import {
  accessPoint,
  askToEnrol,
  comeOnline,
  endDevices,
  enrol,
  listed,
  newSerial,
  onboarding,
  proofOf,
  turnedAway,
} from './device-client.ts';
import { makeCertificate, makeKey, makeRequest } from './peer/identity.ts';

const maker = { commonName: 'Maker CA', key: makeKey() };
const folder = mkdtempSync(join(tmpdir(), 'yunxun-maker-'));
let server: TestServer;
let squatter: Registered;
let owner: Registered;

beforeAll(async () => {
  const file = join(folder, 'maker.pem');
  writeFileSync(file, makeCertificate({ ...maker, isCa: true }));
  server = await startTestServer({ config: { deviceClientCas: [file] } });
  [squatter, owner] = [await server.register(), await server.register()];
});
afterEach(endDevices);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function messages(of: Registered): Promise<[string, object][]> {
  const { data } = await server.call<{ list: { template: string; params: object }[] }>(
    '/api/v3/message/list',
    { limit: 50 },
    of,
  );
  return data.list.map(({ template, params }) => [template, params]);
}
async function logged(of: Registered, serial: string): Promise<string[]> {
  const { data } = await server.call<{ list: { action: string; object: { id: string } }[] }>(
    '/api/v3/log/action/list',
    { limit: 50 },
    of,
  );
  return data.list.filter(({ object }) => object.id === serial).map(({ action }) => action);
}

function askWithFactory(serial: string, { issuer = maker, name = serial, more = {}, by = owner } = {}) {
  const key = makeKey();
  const cert = makeCertificate({ commonName: name, key, issuer, ...more });
  const csr = makeRequest(serial, key);
  const proof = proofOf({ key: key.keyPem, cert }, csr);
  return askToEnrol(server, by.bindingCode, serial, csr, { proof });
}

describe('a factory certificate', () => {
  it('takes over a claim of another account that no device used, at once', async () => {
    const { serial } = await enrol(server, squatter);
    expect((await askToEnrol(server, owner.bindingCode, serial, makeRequest(serial, makeKey()))).code).toBe(4112);
    expect((await askWithFactory(serial)).code).toBe(2000);
    expect(await listed(server, squatter, serial)).toBeUndefined();
    expect(await listed(server, owner, serial)).toMatchObject({ serial });
  });

  it('takes a serial back from a holder who only enrolled and connected a fake: the fake is cut off for good', async () => {
    const identity = await enrol(server, squatter);
    const { serial } = identity;
    const fake = await comeOnline(server, squatter, identity);
    const key = makeKey();
    const cert = makeCertificate({ commonName: serial, key, issuer: maker });
    const csr = makeRequest(serial, key);
    const proof = proofOf({ key: key.keyPem, cert }, csr);
    expect((await askToEnrol(server, owner.bindingCode, serial, csr)).code).toBe(4112);
    const { code, data } = await askToEnrol(server, owner.bindingCode, serial, csr, { proof });
    expect(code).toBe(2000);
    await fake.closed;
    await turnedAway(accessPoint(identity));
    await comeOnline(server, owner, { ...identity, key: key.keyPem, cert: data.certificate });
    // by the factory certificate itself too
    await comeOnline(server, owner, { ...identity, key: key.keyPem, cert });
    expect(await listed(server, squatter, serial)).toBeUndefined();
    expect(await messages(squatter)).toContainEqual(['serialTaken', { serial }]);
    expect(await messages(owner)).toContainEqual(['serialProven', { serial }]);
    for (const side of [squatter, owner]) expect(await logged(side, serial)).toContain('device.taken');
  });

  it('does not take a device away from a holder who has shown a factory certificate', async () => {
    const { serial } = await enrol(server, squatter);
    expect((await askWithFactory(serial)).code).toBe(2000);
    expect((await askWithFactory(serial, { by: squatter })).code).toBe(4112);
    expect(await listed(server, owner, serial)).toMatchObject({ serial });
  });

  it('is a proof in its own account too, as after a factory reset', async () => {
    const identity = await enrol(server, owner);
    await comeOnline(server, owner, identity);
    expect((await askWithFactory(identity.serial)).code).toBe(2000);
  });

  it.each([
    ['another authority', { issuer: { commonName: 'Maker CA', key: makeKey() } }],
    ['another serial', { name: '9c0000000000' }],
    ['a time that is over', { more: { notAfter: new Date(Date.now() - 60_000) } }],
  ])('counts for nothing when it is of %s', async (_what, change) => {
    const { serial } = await enrol(server, squatter);
    expect((await askWithFactory(serial, change)).code).toBe(4112);
  });
});

describe('claims that no device used', () => {
  const insert = (account: Registered, source: string, prefix: string) =>
    server.db.database.systemPool.query(
      `insert into serial_directory (serial, account_id, enrolled_at, source)
       select $3 || lpad(to_hex(n), 8, '0'), $1, now(), $2 from generate_series(1, 2000) n`,
      [account.accountId, source, prefix],
    );

  it('are limited for an account, and the account enrols again once its devices are online or a day is over', async () => {
    const account = await server.register();
    await insert(account, '203.0.113.1', '9d01');
    const serial = newSerial();
    const ask = () => askToEnrol(server, account.bindingCode, serial, makeRequest(serial, makeKey()));
    const refused = await ask();
    expect(refused.code).toBe(4106);
    expect(refused.message).toContain('2000');
    await expect
      .poll(async () => (await onboarding(server, account)).refusals)
      .toMatchObject([{ reason: 'too-many-claims', serial }]);
    await server.db.database.systemPool.query(
      `update serial_directory set first_connected_at = now() where account_id = $1`,
      [account.accountId],
    );
    expect((await ask()).code).toBe(2000);
  });

  it('are limited for an address, over all accounts', async () => {
    await insert(await server.register(), '203.0.113.2', '9d02');
    const serial = newSerial();
    const ask = (from: string) =>
      askToEnrol(server, owner.bindingCode, serial, makeRequest(serial, makeKey()), {}, from);
    expect((await ask('203.0.113.2')).code).toBe(4106);
    expect((await ask('203.0.113.3')).code).toBe(2000);
  });
});
