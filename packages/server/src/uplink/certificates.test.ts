import 'reflect-metadata';
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Credential,
  certificateNames,
  issueDeviceCertificate,
  issueServerCertificate,
  makeAuthority,
} from './certificates.ts';
import { makeRequest } from './testing/device-keys.ts';

const now = new Date('2026-11-20T12:00:00Z');
const serial = '903cb3000001';
let authority: Credential;

beforeAll(async () => {
  authority = await makeAuthority(now);
});

describe('the server certificate', () => {
  test('has the host in CN and SAN, on a P-256 key', async () => {
    const server = new X509Certificate(
      (await issueServerCertificate(authority, 'console.example.net', now)).certificate,
    );
    expect(server.subject).toBe('CN=console.example.net');
    expect(server.subjectAltName).toBe('DNS:console.example.net');
    expect(server.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect(server.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
  });

  test.each(['192.0.2.7', '2001:db8::7'])('names the address %s as an address', async (host) => {
    const server = await issueServerCertificate(authority, host, now);
    expect(new X509Certificate(server.certificate).checkIP(host)).toBe(host);
    expect(certificateNames(server.certificate)[0]).toBe(host);
  });
});

describe('a device certificate', () => {
  test('lives twenty years from yesterday', async () => {
    const issued = await issueDeviceCertificate(authority, (await makeRequest(serial)).csr, serial, now);
    const parsed = new X509Certificate(issued.certificate);
    expect(parsed.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(issued.fingerprint);
    expect(new Date(parsed.validFrom).getTime()).toBe(now.getTime() - 24 * 3600 * 1000);
    expect(new Date(parsed.validTo).getUTCFullYear()).toBe(2046);
    expect(parsed.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
  });

  test.each(['P-256', 'P-384', 'rsa2048'] as const)('is issued for a %s key', async (kind) => {
    const issued = await issueDeviceCertificate(authority, (await makeRequest(serial, kind)).csr, serial, now);
    expect(new X509Certificate(issued.certificate).subject).toBe(`O=YXN\nCN=${serial}`);
  });

  test('takes nothing from the request but its key', async () => {
    const { csr } = await makeRequest(
      serial,
      'P-256',
      [{ O: ['Somebody'] }, { CN: [serial] }],
      [
        new BasicConstraintsExtension(true, 3, true),
        new SubjectAlternativeNameExtension([{ type: 'dns', value: 'console.example.net' }]),
      ],
    );
    const issued = await issueDeviceCertificate(authority, csr, serial, now);
    expect(new X509Certificate(issued.certificate).ca).toBe(false);
    expect(certificateNames(issued.certificate)).toEqual([serial]);
  });

  test.each([
    ['a CN that is another serial', async () => (await makeRequest('903cb3000002')).csr, 'name'],
    [
      'two CNs',
      async () => (await makeRequest(serial, 'P-256', [{ CN: [serial] }, { CN: ['903cb3000002'] }])).csr,
      'name',
    ],
    ['no CN', async () => (await makeRequest(serial, 'P-256', [{ O: [serial] }])).csr, 'name'],
    ['a weak key', async () => (await makeRequest(serial, 'rsa1024')).csr, 'key'],
    ['a key that device TLS does not use', async () => (await makeRequest(serial, 'ed25519')).csr, 'key'],
    ['a broken signature', async () => tampered((await makeRequest(serial)).csr), 'signature'],
    ['something else', async () => 'hello', 'unreadable'],
    [
      'an empty request',
      async () => '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n',
      'unreadable',
    ],
    ['a huge request', async () => `-----BEGIN CERTIFICATE REQUEST-----\n${'A'.repeat(20_000)}`, 'unreadable'],
  ])('is refused for %s', async (_, request, reason) => {
    await expect(issueDeviceCertificate(authority, await request(), serial, now)).rejects.toMatchObject({ reason });
  });
});

function tampered(csr: string): string {
  const body = Buffer.from(csr.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const last = body.length - 1;
  body[last] = (body[last] ?? 0) ^ 1;
  return `-----BEGIN CERTIFICATE REQUEST-----\n${body.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Devices use openssl, so it must accept our certificates. */
describe.skipIf(!hasOpenssl && !process.env.CI)('to openssl (skipped where it is not installed)', () => {
  let directory: string;
  const at = String(now.getTime() / 1000);
  const openssl = (...parameters: string[]) =>
    execFileSync('openssl', parameters, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] }).toString();

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'yunxun-ca-'));
    const server = await issueServerCertificate(authority, 'console.example.net', now);
    openssl(
      'req',
      '-new',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      'key.pem',
      '-out',
      'csr.pem',
      '-subj',
      `/CN=${serial}`,
    );
    const device = await issueDeviceCertificate(authority, openssl('req', '-in', 'csr.pem'), serial, now);
    for (const [name, text] of [
      ['ca.pem', authority.certificate],
      ['server.pem', server.certificate],
      ['device.pem', device.certificate],
    ] as const) {
      writeFileSync(join(directory, name), text);
    }
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  test('the server certificate is one for servers of that name', () => {
    const verify = (name: string) =>
      openssl(
        'verify',
        '-attime',
        at,
        '-CAfile',
        'ca.pem',
        '-purpose',
        'sslserver',
        '-verify_hostname',
        name,
        'server.pem',
      );
    expect(verify('console.example.net')).toContain('OK');
    expect(() => verify('other.example.net')).toThrow();
  });

  test('a device certificate is one for clients only, its key the one asked for', () => {
    const verify = (purpose: string) =>
      openssl('verify', '-attime', at, '-CAfile', 'ca.pem', '-purpose', purpose, 'device.pem');
    expect(verify('sslclient')).toContain('OK');
    expect(() => verify('sslserver')).toThrow();
    expect(openssl('x509', '-in', 'device.pem', '-noout', '-pubkey')).toBe(
      openssl('pkey', '-in', 'key.pem', '-pubout'),
    );
  });

  test('the serial starts at the tenth character of the one-line subject, where the switch client reads it', () => {
    const subject = openssl('x509', '-in', 'device.pem', '-noout', '-subject', '-nameopt', 'compat');
    expect(
      subject
        .trim()
        .replace(/^subject= ?/, '')
        .slice(10),
    ).toBe(serial);
  });
});
