import { createPrivateKey, createPublicKey, generateKeyPair, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { commonNameId, der, ecdsaSha256Id, pem, tags } from './der.ts';

const generate = promisify(generateKeyPair);

export async function createKey(): Promise<string> {
  const { privateKey } = await generate('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  return privateKey;
}

export function signRequest(keyPem: string, request: string): string {
  return sign('sha256', Buffer.from(request), createPrivateKey(keyPem)).toString('base64');
}

/** Builds a PKCS#10 request (RFC 2986) with subject `CN=<serial>`, PEM. */
export function certificateRequest(keyPem: string, serial: string): string {
  const key = createPrivateKey(keyPem);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const name = der(tags.sequence, der(tags.objectId, commonNameId), der(tags.utf8, Buffer.from(serial, 'utf8')));
  const subject = der(tags.sequence, der(tags.set, name));
  const version = der(tags.integer, Buffer.from([0]));
  const info = der(tags.sequence, version, subject, publicKey, der(tags.attributes));
  const signature = sign('sha256', info, key);
  const algorithm = der(tags.sequence, der(tags.objectId, ecdsaSha256Id));
  const request = der(tags.sequence, info, algorithm, der(tags.bitString, Buffer.from([0]), signature));
  return pem('CERTIFICATE REQUEST', request);
}
