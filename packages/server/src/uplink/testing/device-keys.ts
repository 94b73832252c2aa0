import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

export type KeyKind = 'P-256' | 'P-384' | 'rsa2048' | 'rsa1024' | 'ed25519';

const kinds = {
  'P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'P-384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  rsa2048: rsa(2048),
  rsa1024: rsa(1024),
  ed25519: { name: 'Ed25519' },
} as const;

function rsa(modulusLength: number) {
  return {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  } as const;
}

export interface DeviceRequest {
  key: string;
  csr: string;
}

/** Defaults the CN to the serial. */
export async function makeRequest(
  serial: string,
  kind: KeyKind = 'P-256',
  name: x509.JsonName = [{ CN: [serial] }],
  extensions: x509.Extension[] = [],
): Promise<DeviceRequest> {
  const algorithm = kinds[kind];
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: algorithm,
    extensions,
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return { key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`, csr: request.toString('pem') };
}
