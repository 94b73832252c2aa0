import { createPublicKey, X509Certificate } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, askToEnrol, endDevices, enrol, listedAs, newSerial, onboarding } from './device-client.ts';
import { makeKey, makeRequest } from './peer/identity.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

describe('enrolment', () => {
  it('gives a certificate for the key and serial of the request, by the authority that comes with it', async () => {
    const key = makeKey();
    const serial = newSerial();
    const identity = await enrol(server, owner, { serial, key });
    const certificate = new X509Certificate(identity.cert);
    const authority = new X509Certificate(identity.ca);
    expect(certificate.subject.split('\n').at(-1)).toBe(`CN=${serial}`);
    expect(certificate.checkPrivateKey(key.privateKey)).toBe(true);
    expect(certificate.checkIssued(authority) && certificate.verify(authority.publicKey)).toBe(true);
    expect(authority.ca).toBe(true);
    const years = (new Date(certificate.validTo).getTime() - Date.now()) / (365 * 86_400_000);
    expect(years).toBeGreaterThan(19.9);
    // back-dated by a day for wrong device clocks
    expect(Date.now() - new Date(certificate.validFrom).getTime()).toBeGreaterThanOrEqual(86_000_000);
    expect(identity.server).toBe('localhost');
  });

  it('leaves the serial at the tenth character of the one-line subject, where switches look for it', async () => {
    const { cert, serial } = await enrol(server, owner);
    const line = `/${new X509Certificate(cert).subject.split('\n').join('/')}`;
    expect(line.slice(10)).toBe(serial);
  });

  it('leads to a device that is listed, before and after its first session', async () => {
    const identity = await enrol(server, owner, { platform: 'ap', model: 'EAP102' });
    await listedAs(server, owner, identity.serial, { status: 'never_connected', model: 'EAP102' });
    await accessPoint(identity).connect();
    await listedAs(server, owner, identity.serial, { status: 'online', kind: 'ap', model: 'Edgecore EAP102' });
  });

  it.each<[string, (serial: string) => { csr: string; serial?: string; code?: string }, string]>([
    [
      'a wrong binding code',
      (serial) => ({ csr: makeRequest(serial, makeKey()), code: 'nobodys-code' }),
      'binding_code',
    ],
    ['a CN that is not the serial', () => ({ csr: makeRequest(newSerial(), makeKey()) }), 'csr'],
    ['a CN in capitals', (serial) => ({ csr: makeRequest(serial.toUpperCase(), makeKey()) }), 'csr'],
    ['a request signed by another key', (serial) => ({ csr: makeRequest(serial, makeKey(), makeKey()) }), 'csr'],
    ['text', () => ({ csr: 'hello' }), 'csr'],
    [
      'broken base64',
      () => ({ csr: '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----' }),
      'csr',
    ],
    [
      'a serial with colons',
      (serial) => ({ csr: makeRequest(serial, makeKey()), serial: '9c:00:00:00:00:01' }),
      'serial',
    ],
    [
      'a serial in capitals',
      (serial) => ({ csr: makeRequest(serial, makeKey()), serial: serial.toUpperCase() }),
      'serial',
    ],
  ])('refuses %s beside its field, in both languages', async (_what, make, field) => {
    const serial = newSerial();
    const { csr, serial: given = serial, code = owner.bindingCode } = make(serial);
    for (const locale of ['en', 'zh-CN']) {
      const body = { binding_code: code, serial: given, csr };
      const answer = await server.call('/api/v3/device/enroll', body, { locale });
      expect(answer).toMatchObject({ status: 422, code: 422 });
      expect(Object.keys(answer.errors ?? {})).toEqual([field]);
      expect(answer.errors?.[field]?.[0]).toMatch(locale === 'en' ? /^[\x20-\x7e]+$/ : /\p{Script=Han}/u);
    }
    // rolled back: the serial is still free
    await enrol(server, await server.register(), { serial });
  });

  it('refuses a serial that another account holds, with 4112', async () => {
    const { serial } = await enrol(server, owner);
    const other = await server.register();
    const answer = await askToEnrol(server, other.bindingCode, serial, makeRequest(serial, makeKey()));
    expect(answer).toMatchObject({ status: 200, code: 4112 });
    expect(answer.data).toBeNull();
    await expect
      .poll(async () => (await onboarding(server, other)).refusals)
      .toEqual([expect.objectContaining({ reason: 'bound-elsewhere', serial, detail: null })]);
    expect((await onboarding(server, owner)).refusals.filter((each) => each.serial === serial)).toEqual([]);
  });

  it('refuses a network that the account does not have, and binds nothing', async () => {
    const other = await server.register();
    const { data: foreign } = await server.call<{ gwid: string }>(
      '/api/v3/network/create',
      { remark: 'Elsewhere' },
      other,
    );
    const serial = newSerial();
    const answer = await askToEnrol(server, owner.bindingCode, serial, makeRequest(serial, makeKey()), {
      gwid: foreign.gwid,
    });
    expect(answer.code).toBe(4113);
    await enrol(server, other, { serial, gwid: foreign.gwid });
    await listedAs(server, other, serial, { gwid: foreign.gwid });
  });

  it('names the key that versions of the edge agent are signed with, and the console gives none that was not built', async () => {
    const keyOf = async () => {
      const serial = newSerial();
      const { data } = await askToEnrol(server, owner.bindingCode, serial, makeRequest(serial, makeKey()));
      return data.signing_key;
    };
    const key = await keyOf();
    expect(createPublicKey(key).asymmetricKeyType).toBe('ed25519');
    await server.restart();
    expect(await keyOf()).toBe(key);
    const answer = await fetch(`${server.url}/edge/yunxun-edge.mjs`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('built without the edge agent');
  });

  it('is offered as a script that names this console', async () => {
    const script = await (await fetch(`${server.url}/enroll.sh`)).text();
    expect(script).toMatch(/^#!\/bin\/sh\n/);
    expect(script).toContain('/api/v3/device/enroll');
    expect(script).toContain('http://localhost');
  });
});
