import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { documentedLine, languages } from './binding-documents.ts';
import { boxedAccessPoint, endDevices, listed, listedAs, newSerial } from './device-client.ts';

const able = spawnSync('sh', ['-c', 'command -v openssl && command -v curl']).status === 0;
if (!able && process.env.CI) throw new Error('the binding of access points is tested with openssl and curl');

let server: TestServer;
let owner: Registered;
let root: string;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await server.register();
  root = mkdtempSync(join(tmpdir(), 'yunxun-ap-'));
  for (const folder of ['etc/ucentral', 'etc/config', 'etc/init.d', 'tmp'])
    mkdirSync(join(root, folder), { recursive: true });
});
afterEach(async () => {
  await endDevices();
  rmSync(root, { recursive: true });
});
afterAll(() => server.stop());

const read = (name: string) => readFileSync(join(root, 'etc/ucentral', name), 'utf8');
const call = <T>(path: string, body: object) => server.call<T>(`/api/v3/${path}`, body, owner);

describe.skipIf(!able)('an access point from its box', () => {
  it.each(languages)('is managed after the line of docs/binding.%s.md', async (language) => {
    const serial = newSerial();
    const mac = serial.match(/../g)!.join(':').toUpperCase();
    writeFileSync(join(root, 'etc/config/ucentral'), `config ucentral 'config'\n\toption serial '${mac}'\n`);
    for (const service of ['ucentral', 'cloud_discover'])
      writeFileSync(join(root, 'etc/init.d', service), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(root, 'etc/ucentral/capabilities.json'), '{"model": "EAP102", "platform": "ap"}');

    const line = documentedLine(language, null, { server, owner, mac });
    const { stderr, stdout } = await promisify(execFile)('sh', ['-c', line], {
      env: { ...process.env, ENROLL_ROOT: root },
    });
    expect(`${stdout}${stderr}`).toContain(`Done. ${serial}`);
    await listedAs(server, owner, serial, { status: 'never_connected' });

    const found = JSON.parse(read('gateway.json')) as { server: string; port: number; cert: string; ca: string };
    const peer = boxedAccessPoint({
      serial,
      server: found.server,
      port: found.port,
      key: read('key.pem'),
      cert: read(found.cert.split('/').at(-1)!),
      ca: read(found.ca.split('/').at(-1)!),
    });
    peer.behind = [{ mac: '3c:22:fb:00:00:02', address: '192.168.1.24' }];
    await peer.connect();
    await listedAs(server, owner, serial, { status: 'online' });
    const config = () => call<{ state: string; first_contact: object }>('device/config/get', { serial });
    await expect
      .poll(async () => (await config()).data)
      .toMatchObject({ state: 'in_sync', first_contact: { outcome: 'sent', lan: '192.168.1.1/24' } });
    await expect.poll(async () => (await listed(server, owner, serial))?.online_user).toBe(1);

    const versions = await call<{ list: { cause: string; outcome: string }[] }>('device/config/versions', { serial });
    expect(versions.data.list).toMatchObject([{ cause: 'first_contact', outcome: 'applied' }]);
  });
});
