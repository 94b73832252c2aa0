import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, listedAs, newSerial, onboarding, turnedAway } from './device-client.ts';
import { dhcpOptions, generations, stateOf2022 } from './peer/generations.ts';
import { makeCertificate, makeKey } from './peer/identity.ts';
import type { Json } from './peer/json.ts';
import { BadHostname } from './peer/socket.ts';

let server: TestServer;
let owner: Registered;
let directory: string;
/** Authority whose EST server issues operational certificates. */
const est = { commonName: 'EST Issuing CA', key: makeKey() };

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'yunxun-est-'));
  const file = join(directory, 'est.pem');
  writeFileSync(file, makeCertificate({ ...est, isCa: true }));
  server = await startTestServer({ config: { deviceClientCas: [file] } });
  owner = await server.register();
});
afterEach(endDevices);
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true });
});

const refusalOf = (serial: string) =>
  expect.poll(async () => (await onboarding(server, owner)).refusals.find((each) => each.serial === serial));

interface Radio {
  band: string | null;
  channel: number | null;
  width: number | null;
  clients: number | null;
}
const detailOf = async (serial: string) =>
  (await server.call<{ radios: Radio[] }>('/api/v3/ap/detail', { serial }, owner)).data;

describe('firmware of', () => {
  it.each(Object.keys(generations))('%s gets online', async (year) => {
    const device = accessPoint(await enrol(server, owner), generations[year]);
    await device.connect();
    const { serial, firmware } = device.options;
    await listedAs(server, owner, serial, { status: 'online', kind: 'ap', version: firmware as string });
  });

  it('2022 reports clients on the band of the radio that a network refers to', async () => {
    const device = accessPoint(await enrol(server, owner), generations[2022]);
    await device.connect();
    const { serial } = device.options;
    await listedAs(server, owner, serial, { status: 'online' });
    device.state(stateOf2022([['02:00:00:00:00:01', '02:00:00:00:00:02'], ['02:00:00:00:00:03']]));
    await listedAs(server, owner, serial, { online_user: 3 });
    expect((await detailOf(serial)).radios).toMatchObject([
      { band: '2G', channel: 6, width: 20, clients: 2 },
      { band: '5G', channel: 36, width: 40, clients: 1 },
    ]);
    const { rows } = await server.db.database.systemPool.query(
      'select clients_2g, clients_5g from device_latest where serial = $1',
      [serial],
    );
    expect(rows).toEqual([{ clients_2g: 2, clients_5g: 1 }]);
  });
});

describe('a device that DHCP sent here', () => {
  it('by option 224 under another name gets the reason "wrong name"', async () => {
    const identity = await enrol(server, owner);
    const device = accessPoint(identity, { ...dhcpOptions[224], server: 'gateway.example.com' });
    await expect(device.connect()).rejects.toThrow(BadHostname);
    await refusalOf(identity.serial).toMatchObject({ reason: 'wrong-name', host: 'gateway.example.com' });
  });

  it('by option 138 under another name gets online', async () => {
    const identity = await enrol(server, owner);
    const device = accessPoint(identity, { ...dhcpOptions[138], server: 'gateway.example.com' });
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
  });
});

describe('a device with a certificate from EST', () => {
  it('gets the reason "not enrolled", and connects once its serial is bound', async () => {
    const serial = newSerial();
    const key = makeKey();
    const cert = makeCertificate({ commonName: serial, key, issuer: est });
    const { ca, server: name, port } = await enrol(server, owner);
    const own = { serial, key: key.keyPem, cert, ca, server: name, port };
    await turnedAway(accessPoint(own));
    await enrol(server, owner, { serial });
    await refusalOf(serial).toMatchObject({ reason: 'not-enrolled' });
    await accessPoint(own).connect();
    await listedAs(server, owner, serial, { status: 'online' });
  });
});

describe('a radio that is off', () => {
  it('is taken by the firmware without a word', async () => {
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Off' }, owner);
    const { gwid } = data;
    const device = accessPoint(await enrol(server, owner, { gwid }));
    await device.connect();
    const { serial } = device.options;
    await listedAs(server, owner, serial, { status: 'online' });
    device.state({ unit: { uptime: 1 }, interfaces: [{ name: 'up0v0' }] });
    const { data: before } = await server.call<{ version: number }>('/api/v3/network/wireless/get', { gwid }, owner);
    const off = { band: '2G', enabled: false, channel: null, width: null, mode: null, power: null };
    const body = { gwid, version: before.version, ssids: [], radios: [off] };
    expect(await server.call('/api/v3/network/wireless/save', body, owner)).toMatchObject({ code: 2000 });
    const radios = () => ((device.running.radios ?? []) as Json[]).filter(({ band }) => band === '2G');
    await expect.poll(radios).toEqual([{ band: '2G', enable: false, 'channel-mode': 'HT', 'channel-width': 20 }]);
    const answers = device.answered.map(({ result }) => (result as { status: Json }).status);
    expect(answers.filter(({ rejected }) => rejected !== undefined)).toEqual([]);
  });
});
