import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { fleetFixture } from '../fleet-fixture.ts';
import { wirelessDocument } from '../testing.ts';
import { answerRadius, attributeOf, encodeRadius, radiusAttributes, signRadius } from './radius-frame.ts';
import { SimulatedUspot } from './uspot.ts';

const fixture = fleetFixture();
const client = { mac: '02:00:00:00:0a:01', ip: '192.168.1.77' };
const [uamSecret, radiusSecret] = ['between-console-and-gate', 'between-console-and-nas'];

const md5 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

function documentOf(uuid: number, gated: readonly string[]) {
  const document = wirelessDocument(uuid, ['Lobby', 'Staff']);
  const [wan] = document.interfaces as { ssids: Record<string, unknown>[] }[];
  for (const ssid of wan!.ssids)
    if (gated.includes(String(ssid.name)))
      Object.assign(ssid, {
        services: ['captive'],
        radius: { 'dynamic-authorization': { host: '127.0.0.1', port: 3799, secret: radiusSecret } },
      });
  const captive = {
    'auth-mode': 'uam',
    'uam-server': 'http://portal.example/p/key/uam',
    'uam-port': 3990,
    'uam-secret': uamSecret,
    nasid: 'key',
    'auth-server': 'console.example',
    'auth-port': 1812,
    'auth-secret': radiusSecret,
    'acct-server': 'console.example',
    'acct-port': 1813,
    'acct-secret': radiusSecret,
    'radius-gw-proxy': true,
  };
  return { ...document, services: { captive } };
}

it('gates the SSID of the document, proves a credential by CHAP over the connection, and lets hostapd disconnect', async () => {
  const { session, fleet } = await fixture.one();
  const [device] = fleet.devices;
  const spot = device!.uspot!;
  expect(spot.redirect(client)).toBeNull();
  await session.command('configure', { uuid: 1000, config: documentOf(1000, ['Lobby']) });

  const url = spot.redirect(client)!;
  const at = url.lastIndexOf('&md=');
  expect(url.slice(at + 4)).toBe(md5(url.slice(0, at), uamSecret).toString('hex').toUpperCase());
  const challenge = Buffer.from(new URL(url).searchParams.get('challenge')!, 'hex');
  const derived = md5(challenge, uamSecret);
  const response = md5(Buffer.of(0), 'one-time', derived).toString('hex');
  const logon = spot.logon(client, `http://192.168.1.2:3990/logon?username=ticket&response=${response}`);
  const asked = await session.until(() => session.radius.find(({ radius }) => radius === 'auth'));
  const request = Buffer.from(asked.data, 'base64');
  const attributes = radiusAttributes(request);
  expect(attributeOf(attributes, 60)).toEqual(derived);
  expect(attributeOf(attributes, 3)).toEqual(Buffer.concat([Buffer.of(0), Buffer.from(response, 'hex')]));
  const proxyState = attributeOf(attributes, 33)!;
  expect(proxyState.toString()).toBe(`${device!.serial}:console.example:1812:captive`);
  const accept = encodeRadius(2, request[1]!, request.subarray(4, 20), [[33, proxyState]]);
  session.raw({ radius: 'auth', data: signRadius(accept, radiusSecret).toString('base64') });
  expect(await logon).toContain('res=success');
  expect([spot.redirect(client), spot.report()![client.mac]]).toMatchObject([null, { username: 'ticket' }]);

  const kick = signRadius(
    encodeRadius(40, 7, Buffer.alloc(16), [[31, Buffer.from('02-00-00-00-0A-01')]]),
    radiusSecret,
  );
  session.raw({ radius: 'coa', data: kick.toString('base64') });
  const answer = await session.until(() => session.radius.find(({ radius }) => radius === 'coa'));
  expect(answer.data).toBe(answerRadius(kick, 41, radiusSecret).toString('base64'));
  expect(spot.isLetThrough(client)).toBe(false);
});

it('rejects a guest without an answer after 10 s, and at a restart', async () => {
  let nowMs = 0;
  const document = documentOf(1000, ['Lobby']);
  const spot = new SimulatedUspot({
    serial: '02000000aa01',
    speedUp: 1,
    address: () => '192.168.1.2',
    document: () => document,
    stations: () => [],
    nowMs: () => nowMs,
    send: () => undefined,
  });
  const logon = () => spot.logon(client, 'http://192.168.1.2:3990/logon?username=ticket');
  const first = logon();
  nowMs = 9999;
  spot.tick();
  expect(await Promise.race([first, setImmediate('waits')])).toBe('waits');
  nowMs = 10_000;
  spot.tick();
  expect(await first).toContain('res=reject');
  const second = logon();
  spot.forget();
  expect(await second).toContain('res=reject');
  expect(spot.isLetThrough(client)).toBe(false);
});
