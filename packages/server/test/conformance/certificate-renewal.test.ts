import { X509Certificate } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import {
  accessPoint,
  endDevices,
  enrol,
  type Identity,
  listedAs,
  newSerial,
  onboarding,
  turnedAway,
} from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';
import { type DeviceKey, makeKey, makeRequest } from './peer/identity.ts';

const hours = (count: number) => count * 3_600_000;
/** TLS uses the machine's clock, so old certificates come from a server whose clock is behind. */
const clock = new ManualClock(new Date(Date.now() - hours(24 * 260)));
let server: TestServer;
let owner: Registered;
let aged: Identity;
beforeAll(async () => {
  server = await startTestServer({ clock });
  aged = await enrol(server, await server.register(), { renews: true });
  clock.advance(hours(24 * 260));
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

const capabilities = (renews: boolean) => ({
  platform: 'olg',
  compatible: 'yunxun_edge',
  model: 'Box',
  network: { WAN1: ['eth0'] },
  yunxun: { agent: '0.5.0', renews },
});

async function gateway(identity: Identity, renews = true): Promise<AccessPoint> {
  const device = accessPoint(identity, { capabilities: capabilities(renews) });
  await device.connect();
  return device;
}

interface Answer {
  certificate?: string;
  refused?: string;
}
async function ask(device: AccessPoint, csr: unknown, nth = 1): Promise<Answer> {
  device.notify('yunxun.renew', { serial: device.options.serial, csr } as Record<string, unknown>);
  return (await device.command('yunxun.certificate', nth)).params as Answer;
}
const withNew = (identity: Identity, key: DeviceKey, { certificate = '' }: Answer): Identity => ({
  ...identity,
  key: key.keyPem,
  cert: certificate,
});
const daysOf = (cert: string) => (Date.parse(new X509Certificate(cert).validTo) - clock.now().getTime()) / hours(24);

it('is for a year where the device renews it, and for the old years where none does', async () => {
  const [renewing, firmware] = await Promise.all([enrol(server, owner, { renews: true }), enrol(server, owner)]);
  expect(Math.round(daysOf(renewing.cert))).toBe(365);
  expect(daysOf(firmware.cert)).toBeGreaterThan(7000);
});

it('both count until the new one has been online; then the old one is refused, and the log says that it was renewed', async () => {
  const old = await enrol(server, owner, { renews: true });
  const device = await gateway(old);
  clock.advance(1000);
  const key = makeKey();
  const answer = await ask(device, makeRequest(old.serial, key));
  const fresh = withNew(old, key, answer);
  const certificate = new X509Certificate(fresh.cert);
  expect(certificate.subject.split('\n').at(-1)).toBe(`CN=${old.serial}`);
  expect(certificate.checkPrivateKey(key.privateKey)).toBe(true);
  expect(Math.round(daysOf(fresh.cert))).toBe(365);

  // after a lost answer or power failure
  await device.cut();
  const again = await gateway(old);
  await listedAs(server, owner, old.serial, { status: 'online' });
  const renewed = await gateway(fresh);
  await again.closed;
  await turnedAway(accessPoint(old));
  await expect
    .poll(async () => (await onboarding(server, owner)).refusals)
    .toContainEqual(expect.objectContaining({ serial: old.serial, reason: 'certificate-revoked' }));
  expect(renewed.socket).not.toBeNull();
  const { data } = await server.call<{ list: { action: string; source: string }[] }>(
    '/api/v3/log/action/list',
    { limit: 50 },
    owner,
  );
  expect(data.list).toContainEqual(expect.objectContaining({ action: 'device.renew_certificate', source: 'device' }));
});

it('is signed for the serial of the session only, and for a key that signed the request', async () => {
  const device = await gateway(await enrol(server, owner, { renews: true }));
  const { serial } = device.options;
  const other = await enrol(server, owner, { renews: true });
  let nth = 0;
  const asked = async (csr: unknown) => {
    nth += 1;
    return (await ask(device, csr, nth)).refused;
  };
  expect(await asked(makeRequest(other.serial, makeKey()))).toBe('request');
  expect(await asked(makeRequest(newSerial(), makeKey()))).toBe('request');
  expect(await asked(makeRequest(serial, makeKey(), makeKey()))).toBe('request');
  for (const nothing of [null, 7, '', {}, 'x'.repeat(20_000)]) expect(await asked(nothing)).toBe('request');
});

it('is asked for by the console when it would live for decades, or is near its end; not of devices that cannot', async () => {
  const asked = (device: AccessPoint) => device.received.some(({ command }) => command?.method === 'yunxun.renew');
  const old = await gateway(await enrol(server, owner));
  await old.command('yunxun.renew');
  const young = await gateway(await enrol(server, owner, { renews: true }));
  await ask(young, null);
  expect(asked(young)).toBe(false);
  await (await gateway(aged)).command('yunxun.renew');
  const firmware = await gateway(await enrol(server, owner), false);
  await ask(firmware, null);
  expect(asked(firmware)).toBe(false);
});

it('is given so many times a day and no more', async () => {
  const device = await gateway(await enrol(server, owner, { renews: true }));
  const { serial } = device.options;
  for (const nth of [1, 2, 3]) expect((await ask(device, makeRequest(serial, makeKey()), nth)).refused).toBeUndefined();
  expect((await ask(device, makeRequest(serial, makeKey()), 4)).refused).toBe('often');
  clock.advance(hours(25));
  expect((await ask(device, makeRequest(serial, makeKey()), 5)).certificate).toContain('BEGIN CERTIFICATE');
});
