import 'reflect-metadata';
import { createHash, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

const day = 24 * 60 * 60 * 1000;
const year = 365.25 * day;
const p256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const signing = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** Only an enrolment replaces these. */
const deviceYears = 20;
/** For devices that renew. */
export const renewedYears = 1;
/** For device clocks that are behind. */
const backDated = day;
/** Outlives certificates of its first twenty years. */
const authorityYears = 45;
/** Three letters: the switch client reads its serial after "/O=YXN/CN=". */
const organisation = 'YXN';
const largestRequest = 16 * 1024;

/** PEM; the key in PKCS#8. */
export interface Credential {
  certificate: string;
  key: string;
}

/** `fingerprint`: the DER's SHA-256, lower-case hex. */
export interface IssuedCertificate {
  certificate: string;
  fingerprint: string;
  notBefore: Date;
  notAfter: Date;
}

export class RequestRefused extends Error {
  constructor(readonly reason: 'unreadable' | 'signature' | 'key' | 'name') {
    super(`certificate request refused: ${reason}`);
  }
}

export async function makeAuthority(now: Date): Promise<Credential> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    // unique: an installation may trust another's devices
    name: [{ CN: [`Yunxun device authority ${serialNumber().slice(-8)}`] }],
    ...validity(now, authorityYears),
    keys,
    signingAlgorithm: signing,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: pem(certificate), key: await exportKey(keys.privateKey) };
}

/** Puts the host into CN and SAN: older firmware reads only the CN. */
export async function issueServerCertificate(authority: Credential, host: string, now: Date): Promise<Credential> {
  const keys = await newKeys();
  const names: x509.JsonGeneralNames = [{ type: isIP(host) ? 'ip' : 'dns', value: host }];
  const certificate = await sign(authority, {
    subject: [{ CN: [host] }],
    publicKey: keys.publicKey,
    ...validity(now, deviceYears),
    extensions: [
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names),
    ],
  });
  return { certificate: pem(certificate), key: await exportKey(keys.privateKey) };
}

/**
 * Uses only the request's key; the CN is the serial. Short-lived if the device `renews`.
 * @throws RequestRefused
 */
export async function issueDeviceCertificate(
  authority: Credential,
  requestPem: string,
  serial: string,
  now: Date,
  renews = false,
): Promise<IssuedCertificate> {
  const request = await readRequest(requestPem, serial);
  const certificate = await sign(authority, {
    subject: [{ O: [organisation] }, { CN: [serial] }],
    publicKey: request.publicKey,
    ...validity(now, renews ? renewedYears : deviceYears),
    extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
  });
  return {
    certificate: pem(certificate),
    fingerprint: createHash('sha256').update(Buffer.from(certificate.rawData)).digest('hex'),
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
  };
}

export function certificateNames(certificate: string): string[] {
  const parsed = new x509.X509Certificate(certificate);
  const alternative = parsed.getExtension(x509.SubjectAlternativeNameExtension)?.names.toJSON() ?? [];
  return [...new Set([...parsed.subjectName.getField('CN'), ...alternative.map(({ value }) => String(value))])];
}

export function certificateEnd(certificate: string): Date {
  return new x509.X509Certificate(certificate).notAfter;
}

async function readRequest(requestPem: string, serial: string): Promise<x509.Pkcs10CertificateRequest> {
  let request: x509.Pkcs10CertificateRequest;
  if (requestPem.length > largestRequest || !/-----BEGIN (NEW )?CERTIFICATE REQUEST-----/.test(requestPem))
    throw new RequestRefused('unreadable');
  try {
    request = new x509.Pkcs10CertificateRequest(requestPem.replace(/(BEGIN|END) NEW CERT/g, '$1 CERT'));
  } catch {
    throw new RequestRefused('unreadable');
  }
  if (!isUsableKey(request.publicKey.algorithm)) throw new RequestRefused('key');
  const signed = await request.verify().catch(() => false);
  if (!signed) throw new RequestRefused('signature');
  const names = request.subjectName.getField('CN');
  if (names.length !== 1 || names[0] !== serial) throw new RequestRefused('name');
  return request;
}

function isUsableKey(algorithm: object): boolean {
  const { name, namedCurve, modulusLength } = algorithm as {
    name: string;
    namedCurve?: string;
    modulusLength?: number;
  };
  if (/^(EC|ECDSA|ECDH)$/.test(name)) return namedCurve === 'P-256' || namedCurve === 'P-384';
  return name.startsWith('RSA') && modulusLength !== undefined && modulusLength >= 2048 && modulusLength <= 4096;
}

interface Request {
  subject: x509.JsonName;
  publicKey: x509.PublicKeyType;
  notBefore: Date;
  notAfter: Date;
  extensions: x509.Extension[];
}

async function sign(authority: Credential, request: Request): Promise<x509.X509Certificate> {
  const issuer = new x509.X509Certificate(authority.certificate);
  const key = await webcrypto.subtle.importKey('pkcs8', der(authority.key), p256, false, ['sign']);
  return x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: request.subject,
    issuer: issuer.subjectName,
    notBefore: request.notBefore,
    notAfter: new Date(Math.min(request.notAfter.getTime(), issuer.notAfter.getTime())),
    publicKey: request.publicKey,
    signingKey: key,
    signingAlgorithm: signing,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
      ...request.extensions,
      await x509.SubjectKeyIdentifierExtension.create(request.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
}

function validity(now: Date, years: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - backDated), notAfter: new Date(now.getTime() + years * year) };
}

/** Returns at most 20 bytes, positive (RFC 5280 4.1.2.2). */
function serialNumber(): string {
  const bytes = Buffer.from(webcrypto.getRandomValues(new Uint8Array(16)));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(p256, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const body = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${body.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

function der(pemText: string): Buffer {
  return Buffer.from(pemText.replace(/-----[^-]+-----|\s/g, ''), 'base64');
}

/** Ends with one newline: files may be concatenated. */
function pem(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem').trim()}\n`;
}
