import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Minimal DER for a PKCS#10 request of a P-256 key. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const hex = body.length.toString(16);
  const length = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const commonNameId = objectId('550403');
const ecdsaWithSha256 = objectId('2a8648ce3d040302');

export interface DeviceKey {
  privateKey: KeyObject;
  keyPem: string;
  publicKey: KeyObject;
}

export function makeKey(): DeviceKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, publicKey, keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** A foreign `signer` makes the proof of possession invalid. */
export function makeRequest(commonName: string, key: DeviceKey, signer: DeviceKey = key): string {
  const subject = sequence(der(0x31, sequence(commonNameId, der(0x0c, Buffer.from(commonName)))));
  const publicKey = key.publicKey.export({ type: 'spki', format: 'der' });
  const info = sequence(der(0x02, Buffer.from([0])), subject, publicKey, der(0xa0));
  const signature = createSign('sha256').update(info).sign(signer.privateKey);
  const request = sequence(info, sequence(ecdsaWithSha256), der(0x03, Buffer.from([0]), signature));
  return pem('CERTIFICATE REQUEST', request);
}

export interface CertificateOptions {
  commonName: string;
  key: DeviceKey;
  issuer?: { commonName: string; key: DeviceKey };
  dns?: readonly string[];
  isCa?: boolean;
  notBefore?: Date;
  notAfter?: Date;
}

export function makeCertificate(options: CertificateOptions): string {
  const { commonName, key, issuer = options, dns = [], isCa = false } = options;
  const day = 86_400_000;
  const { notBefore = new Date(Date.now() - day), notAfter = new Date(Date.now() + 365 * day) } = options;
  const name = (text: string): Buffer => sequence(der(0x31, sequence(commonNameId, der(0x0c, Buffer.from(text)))));
  const time = (date: Date): Buffer =>
    der(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`));
  const extensions = [
    sequence(
      objectId('551d13'),
      der(0x01, Buffer.from([0xff])),
      der(0x04, sequence(...(isCa ? [der(0x01, Buffer.from([0xff]))] : []))),
    ),
  ];
  if (dns.length > 0) {
    const names = dns.map((entry) => der(0x82, Buffer.from(entry)));
    extensions.push(sequence(objectId('551d11'), der(0x04, sequence(...names))));
  }
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...crypto.getRandomValues(new Uint8Array(8))])),
    sequence(ecdsaWithSha256),
    name(issuer.commonName),
    sequence(time(notBefore), time(notAfter)),
    name(commonName),
    key.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = createSign('sha256').update(body).sign(issuer.key.privateKey);
  return pem('CERTIFICATE', sequence(body, sequence(ecdsaWithSha256), der(0x03, Buffer.from([0]), signature)));
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
