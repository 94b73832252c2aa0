import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, type Identity, onboarding } from './device-client.ts';
import { makeCertificate, makeKey } from './peer/identity.ts';
import { BadHostname } from './peer/socket.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

const refused = (serial: string | null, wanted: object) =>
  expect
    .poll(async () => (await onboarding(server, owner)).refusals.find((each) => each.serial === serial))
    .toMatchObject(wanted);

describe('a device that checks the name after the 101', () => {
  it('is shown with the name that it dialled', async () => {
    const identity = await enrol(server, owner);
    await expect(accessPoint(identity, { server: 'elsewhere.example.com' }).connect()).rejects.toThrow(BadHostname);
    await refused(identity.serial, {
      reason: 'wrong-name',
      sni: 'elsewhere.example.com',
      host: 'elsewhere.example.com',
    });
    const { server: names } = await onboarding(server, owner);
    expect(names.certificate_names).not.toContain('elsewhere.example.com');
  });

  it('is shown where only the case of the letters differs', async () => {
    const identity = await enrol(server, owner);
    await expect(accessPoint(identity, { server: 'LocalHost' }).connect()).rejects.toThrow(BadHostname);
    await refused(identity.serial, { reason: 'wrong-name', host: 'LocalHost' });
  });

  it('is shown where it dialled an address, which TLS does not name', async () => {
    const identity = await enrol(server, owner);
    await expect(accessPoint(identity, { server: '127.0.0.1' }).connect()).rejects.toThrow(BadHostname);
    await refused(identity.serial, { reason: 'wrong-name', sni: null, host: '127.0.0.1' });
  });

  it('and disconnects although the name fits is distinguished', async () => {
    const identity = await enrol(server, owner);
    const device = accessPoint(identity, { nameChecked: 'elsewhere.example.com' });
    await expect(device.connect()).rejects.toThrow(BadHostname);
    await refused(identity.serial, { reason: 'left-after-upgrade', host: 'localhost' });
  });

  it('stays where its settings say not to check (DHCP option 138)', async () => {
    const identity = await enrol(server, owner);
    const device = accessPoint(identity, { server: 'elsewhere.example.com', validateHostname: false });
    await device.connect();
    await expect
      .poll(async () => (await onboarding(server, owner)).connections.find((each) => each.serial === identity.serial))
      .toMatchObject({ online: true });
    expect((await onboarding(server, owner)).refusals.filter((each) => each.serial === identity.serial)).toEqual([]);
  });
});

describe('a device with a certificate of its own past or future', () => {
  it.each([
    ['certificate-expired', { notAfter: new Date(Date.now() - 86_400_000) }],
    ['certificate-not-yet-valid', { notBefore: new Date(Date.now() + 86_400_000) }],
    ['foreign-authority', null],
  ])('is shown as %s, with the issuer', async (reason, validity) => {
    const maker = { commonName: 'Maker CA', key: makeKey() };
    const directory = mkdtempSync(join(tmpdir(), 'yunxun-ca-'));
    const file = join(directory, 'ca.pem');
    writeFileSync(file, makeCertificate({ ...maker, isCa: true }));
    const trusting = await startTestServer({ config: { deviceClientCas: validity ? [file] : [] } });
    const person = await trusting.register();
    const identity = await enrol(trusting, person);
    const key = makeKey();
    const cert = makeCertificate({ commonName: identity.serial, key, issuer: maker, ...validity });
    await expect(accessPoint({ ...identity, key: key.keyPem, cert }).connect()).rejects.toThrow();
    await expect
      .poll(async () => (await onboarding(trusting, person)).refusals[0])
      .toMatchObject({ serial: identity.serial, reason, detail: expect.stringContaining('CN=Maker CA') });
    await trusting.stop();
    rmSync(directory, { recursive: true });
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Node checks the chain after the handshake; openssl rejects within it, like devices. */
async function shakeHands(identity: Identity, ca: string, more: string[]): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'yunxun-tls-'));
  const files = { 'ca.pem': ca, 'cert.pem': identity.cert, 'key.pem': identity.key };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text, { mode: 0o600 });
  const given = ['-CAfile', 'ca.pem', '-cert', 'cert.pem', '-key', 'key.pem', '-verify_return_error', ...more];
  const client = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${identity.port}`, ...given], {
    cwd: directory,
    stdio: 'ignore',
  });
  await once(client, 'exit');
  rmSync(directory, { recursive: true });
}

describe.skipIf(!hasOpenssl && !process.env.CI)('a device that refuses within the handshake', () => {
  const seconds = (years: number) => String(Math.floor(Date.now() / 1000) + years * 31_557_600);
  it.each([
    ['clock-ahead', () => ['-servername', 'localhost', '-attime', seconds(30)]],
    ['clock-behind', () => ['-servername', 'localhost', '-attime', '1000000000']],
    ['wrong-name', () => ['-servername', 'elsewhere.example.com', '-verify_hostname', 'elsewhere.example.com']],
  ])('is shown as %s, with what it asked for', async (reason, more) => {
    const identity = await enrol(server, owner);
    await shakeHands(identity, identity.ca, more());
    const sni = reason === 'wrong-name' ? 'elsewhere.example.com' : 'localhost';
    await expect
      .poll(async () =>
        (await onboarding(server, owner)).refusals.find((each) => each.reason === reason && !each.serial),
      )
      .toMatchObject({ sni, host: null });
  });

  it('is shown as server-untrusted when it holds another authority', async () => {
    const identity = await enrol(server, owner);
    const other = makeCertificate({ commonName: 'Another', key: makeKey(), isCa: true });
    await shakeHands(identity, other, ['-servername', 'localhost']);
    await expect
      .poll(async () => (await onboarding(server, owner)).refusals.find((each) => each.reason === 'server-untrusted'))
      .toMatchObject({ sni: 'localhost', detail: expect.stringContaining('UNKNOWN_CA') });
  });
});
