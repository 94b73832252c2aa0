import { execFile, spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { documentedLine, languages } from './binding-documents.ts';
import { endDevices, listedAs, newSerial, switchOf } from './device-client.ts';

/** The documented command on the operator's machine, then the open client with these files. */

const able = spawnSync('sh', ['-c', 'command -v openssl && command -v curl']).status === 0;
if (!able && process.env.CI) throw new Error('the binding of switches is tested with openssl and curl');

let server: TestServer;
let owner: Registered;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-switch-'));
});
afterEach(async () => {
  await endDevices();
  rmSync(folder, { recursive: true });
});
afterAll(() => server.stop());

const file = (serial: string, name: string) => readFileSync(join(folder, serial, name), 'utf8');

async function documented(mac: string, language: (typeof languages)[number] = 'en'): Promise<string> {
  const line = documentedLine(language, 'ENROLL_SWITCH', { server, owner, mac });
  const { stderr } = await promisify(execFile)('sh', ['-c', line], { cwd: folder });
  return stderr;
}

describe.skipIf(!able)('the files of a switch', () => {
  it.each(languages)(
    'bind it by the line of docs/binding.%s.md: the open client comes online with them',
    async (language) => {
      const serial = newSerial();
      const text = await documented(serial.match(/../g)!.join(':').toUpperCase(), language);
      expect(text).toContain('UC_GATEWAY_ADDRESS=localhost\n');
      expect(readdirSync(join(folder, serial)).toSorted()).toEqual(['cas.pem', 'cert.pem', 'dev-id', 'key.pem']);
      // the client requires dev-id and reads the serial from the tenth character of the one-line subject
      expect(file(serial, 'dev-id').length).toBeGreaterThan(1);
      const subject = ['x509', '-in', join(folder, serial, 'cert.pem'), '-noout', '-subject', '-nameopt', 'compat'];
      const line = spawnSync('openssl', subject)
        .stdout.toString()
        .trim()
        .replace(/^subject=\s*/, '');
      expect(line.slice(10)).toBe(serial);
      const device = switchOf({
        serial,
        server: 'localhost',
        port: server.program.devicePort!,
        key: file(serial, 'key.pem'),
        cert: file(serial, 'cert.pem'),
        ca: file(serial, 'cas.pem'),
      });
      await listedAs(server, owner, serial, { status: 'never_connected', kind: 'switch' });
      await device.connect();
      await listedAs(server, owner, serial, { status: 'online', kind: 'switch' });
      // the key in the existing files proves that it is the same switch
      const before = file(serial, 'cert.pem');
      await documented(serial, language);
      const after = new X509Certificate(file(serial, 'cert.pem'));
      expect(after.toString()).not.toBe(before);
      expect(after.checkPrivateKey(createPrivateKey(file(serial, 'key.pem')))).toBe(true);
      expect(device.socket).not.toBeNull();
    },
  );

  it('are not put into a folder that holds others, and need a MAC address', async () => {
    const serial = newSerial();
    mkdirSync(join(folder, serial));
    await expect(documented(serial)).rejects.toMatchObject({ stderr: expect.stringContaining('exists here already') });
    await expect(documented('SW-1')).rejects.toMatchObject({ stderr: expect.stringContaining('not a MAC address') });
  });
});
