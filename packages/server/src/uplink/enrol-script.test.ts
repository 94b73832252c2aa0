import { execFile, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Credential, issueDeviceCertificate, makeAuthority } from './certificates.ts';
import { enrolScript } from './enrol-script.ts';
import { provenFingerprint } from './enrolment-proof.ts';
import { fetchers, program, shells } from './testing/shells.ts';

const able = program('openssl') !== '' && fetchers.length > 0;
if (!able && process.env.CI)
  throw new Error('enroll.sh is tested with openssl and curl or wget; in CI they must be there');

const tools = 'cat chmod cmp cp cut head mkdir mktemp mv openssl rm sed tr'.split(' ');

let authority: Credential;
let root: string;
let server: Server;
let url: string;
let received: Record<string, unknown>[];
let answer: (body: Record<string, unknown>) => Promise<{ status?: number; body: unknown }>;

beforeAll(async () => {
  authority = await makeAuthority(new Date());
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      received.push({ ...body, path: request.url, type: request.headers['content-type'] });
      const { status = 200, body: output } = await answer(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(output));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

beforeEach(() => {
  received = [];
  answer = async (body) => {
    const issued = await issueDeviceCertificate(authority, String(body.csr), String(body.serial), new Date());
    const data = {
      certificate: issued.certificate,
      ca: authority.certificate,
      server: 'console.example.net',
      port: 15002,
    };
    return { body: { code: 2000, message: 'ok', data } };
  };
  root = mkdtempSync(join(tmpdir(), 'yunxun-root-'));
  for (const folder of ['etc/ucentral', 'etc/config', 'etc/init.d', 'tmp', 'bin', 'certificates'])
    mkdirSync(join(root, folder), { recursive: true });
  write('etc/config/ucentral', "config ucentral 'config'\n\toption serial '90:3C:B3:00:00:01'\n");
  write('etc/init.d/ucentral', `#!/bin/sh\necho "ucentral $1" >> ${root}/restarted\n`, 0o755);
  write('etc/init.d/cloud_discover', `#!/bin/sh\necho "cloud_discover $1" >> ${root}/restarted\n`, 0o755);
  write('etc/ucentral/capabilities.json', '{\n "model": "EdgeCore \\"EAP102\\" $(reboot)",\n "platform": "ap" }');
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (path: string, text: string, mode = 0o644) => {
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), mode);
};
const read = (path: string) => readFileSync(join(root, path), 'utf8');

function run(
  parameters: string[],
  [shell, options] = shells[0]!,
  fetcher = fetchers[0]!,
  console = url,
): Promise<{ code: number; output: string }> {
  const bin = join(root, 'bin');
  // access points have busybox, openssl and curl
  const origin = (name: string) => program(shell === 'busybox' && !/openssl|curl/.test(name) ? 'busybox' : name);
  for (const name of [...tools, fetcher]) if (!existsSync(join(bin, name))) symlinkSync(origin(name), join(bin, name));
  return new Promise((resolve) => {
    const child = execFile(
      program(shell),
      [...options, '-s', '--', ...parameters],
      { env: { PATH: bin, ENROLL_ROOT: root }, cwd: root },
      (error, out, output) => resolve({ code: error ? Number(error.code) : 0, output: out + output }),
    );
    child.stdin?.end(enrolScript(console));
  });
}

describe.skipIf(!able)('enroll.sh', () => {
  describe.each(shells)('in %s %s', (...shell) => {
    test.each(fetchers)('enrols with %s and leaves everything where the firmware reads it', async (fetcher) => {
      const { code, output } = await run(['ABCDE-12345'], shell, fetcher);
      expect(output).toContain('Done. 903cb3000001');
      expect(code).toBe(0);
      expect(received).toHaveLength(1);
      expect(received[0]).toMatchObject({
        path: '/api/v3/device/enroll',
        type: 'application/json',
        binding_code: 'ABCDE-12345',
        serial: '903cb3000001',
        platform: 'ap',
        model: 'EdgeCore ',
      });
      const certificate = new X509Certificate(read('etc/ucentral/operational.pem'));
      expect(certificate.verify(new X509Certificate(read('etc/ucentral/operational.ca')).publicKey)).toBe(true);
      expect(certificate.checkPrivateKey(await privateKey(read('etc/ucentral/key.pem')))).toBe(true);
      expect(statSync(join(root, 'etc/ucentral/key.pem')).mode & 0o777).toBe(0o600);
      const gateway = JSON.parse(read('etc/ucentral/gateway.json'));
      expect(gateway).toEqual({
        server: 'console.example.net',
        port: 15002,
        valid: true,
        hostname_validate: 1,
        cert: '/etc/ucentral/operational.pem',
        ca: '/etc/ucentral/operational.ca',
      });
      expect(JSON.parse(read('etc/ucentral/gateway.flash'))).toEqual(gateway);
      expect(read('restarted')).toBe('ucentral restart\ncloud_discover restart\n');
    });
  });

  test('keeps a good key, because the birth certificate belongs to it', async () => {
    const key = spawnSync('openssl', ['genrsa', '2048']).stdout.toString();
    write('etc/ucentral/key.pem', key, 0o600);
    expect((await run(['ABC'])).code).toBe(0);
    expect(read('etc/ucentral/key.pem')).toBe(key);
  });

  test('replaces a broken key and keeps a copy of it', async () => {
    write('etc/ucentral/key.pem', 'rubbish', 0o600);
    expect((await run(['ABC'])).code).toBe(0);
    expect(read('etc/ucentral/key.pem')).toContain('PRIVATE KEY');
    expect(read('etc/ucentral/key.pem.before-yunxun')).toBe('rubbish');
  });

  test('stores the certificates where the board keeps them through a factory reset', async () => {
    for (const name of ['mount_certs', 'store_certs'])
      write(`bin/${name}`, `#!/bin/sh\necho ${name} >> ${root}/stored\n`, 0o755);
    expect((await run(['ABC'])).code).toBe(0);
    expect(read('stored')).toBe('mount_certs\nstore_certs\n');
    expect(read('certificates/operational.pem')).toBe(read('etc/ucentral/operational.pem'));
    expect(read('certificates/key.pem')).toBe(read('etc/ucentral/key.pem'));
  });

  test('takes the serial from the birth certificate, else from eth0', async () => {
    rmSync(join(root, 'etc/config/ucentral'));
    mkdirSync(join(root, 'sys/class/net/eth0'), { recursive: true });
    write('sys/class/net/eth0/address', '90:3c:b3:00:00:0e\n');
    await run(['ABC']);
    spawnSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        'k.pem',
        '-out',
        'etc/ucentral/cert.pem',
        '-subj',
        '/O=Birth/CN=903CB3000002',
      ],
      { cwd: root },
    );
    await run(['ABC']);
    expect(received.map(({ serial }) => serial)).toEqual(['903cb300000e', '903cb3000002']);
  });

  test('passes the network on', async () => {
    await run(['ABC', '0199d0aa-0000-7000-8000-000000000001']);
    expect(received[0]).toMatchObject({ gwid: '0199d0aa-0000-7000-8000-000000000001' });
  });

  test.each([
    ['no binding code', [''], 'give the binding code'],
    ['a binding code that would break out', ['A","x":"$(id)'], 'letters, digits and hyphens only'],
    ['a network id that would break out', ['ABC', '"}'], 'hexadecimal digits'],
  ])('refuses %s before it asks', async (_, parameters, words) => {
    const { code, output } = await run(parameters);
    expect(code).toBe(1);
    expect(output).toContain(words);
    expect(received).toEqual([]);
  });

  test('proves with the certificate and key of before that this is the device', async () => {
    await run(['ABC']);
    expect(received[0]!.proof).toBeUndefined();
    const before = read('etc/ucentral/operational.pem');
    expect((await run(['ABC'])).code).toBe(0);
    const { csr, proof } = received[1] as { csr: string; proof: { certificate: string; signature: string } };
    expect(proof.certificate).toBe(before);
    expect(provenFingerprint(proof, csr)).toBe(
      new X509Certificate(before).fingerprint256.replaceAll(':', '').toLowerCase(),
    );
  });

  test('asks again while a person has to allow it, and says what that person has to do', async () => {
    const good = answer;
    answer = async (body) =>
      received.length < 3 ? { body: { code: 4117, message: 'Allow it in the console', data: null } } : good(body);
    write('bin/sleep', `#!/bin/sh\necho "$1" >> ${root}/slept\n`, 0o755);
    const { code, output } = await run(['ABC']);
    expect(code).toBe(0);
    expect(output.split('Allow it in the console')).toHaveLength(2);
    expect(read('slept')).toBe('5\n5\n');
    expect(new Set(received.map((one) => one.csr)).size).toBe(1);
  });

  test('passes a refusal on and changes nothing', async () => {
    answer = async () => ({ body: { code: 4112, message: 'Bound to another account', data: null } });
    const { code, output } = await run(['ABC']);
    expect(code).toBe(1);
    expect(output).toContain('(4112): Bound to another account');
    expect(existsSync(join(root, 'etc/ucentral/key.pem'))).toBe(false);
    expect(existsSync(join(root, 'etc/ucentral/gateway.json'))).toBe(false);
  });

  test.skipIf(!fetchers.includes('curl'))('shows which field was wrong', async () => {
    answer = async () => ({
      status: 422,
      body: { code: 422, message: 'Check the input', data: null, errors: { binding_code: ['not right'] } },
    });
    const { output } = await run(['ABC'], shells[0], 'curl');
    expect(output).toContain('"binding_code":["not right"]');
  });

  test.each([
    ['a server name that would break out', { server: 'x","y":"z' }],
    ['a certificate with a command in it', { certificate: '-----BEGIN CERTIFICATE-----\n$(id)\n-----END' }],
    ['nothing', { certificate: '', ca: '', server: '' }],
  ])('writes nothing when the answer holds %s', async (_, change) => {
    const good = answer;
    answer = async (body) => {
      const { body: output } = (await good(body)) as { body: { data: object } };
      return { body: { ...output, data: { ...output.data, ...change } } };
    };
    expect((await run(['ABC'])).code).toBe(1);
    expect(existsSync(join(root, 'etc/ucentral/operational.pem'))).toBe(false);
    expect(existsSync(join(root, 'etc/ucentral/gateway.json'))).toBe(false);
  });

  test('explains a console that only knows itself as localhost', async () => {
    const { code, output } = await run(['ABC'], shells[0], fetchers[0], 'http://127.0.0.1:1');
    expect(code).toBe(1);
    expect(output).toContain('YUNXUN_PUBLIC_URL');
  });

  test('leaves no key behind in /tmp', async () => {
    await run(['ABC']);
    expect(spawnSync('ls', ['-A', join(root, 'tmp')]).stdout.toString()).toBe('');
  });
});

async function privateKey(pem: string) {
  const { createPrivateKey } = await import('node:crypto');
  return createPrivateKey(pem);
}
