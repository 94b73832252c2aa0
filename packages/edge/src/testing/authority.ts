import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { commonNameId, der, ecdsaSha256Id, pem, tags } from '../der.ts';

export interface Pair {
  certificate: string;
  key: string;
}

const algorithm = der(tags.sequence, der(tags.objectId, ecdsaSha256Id));
const validity = der(tags.sequence, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('490101000000Z')));

function nameOf(commonName: string): Buffer {
  const attribute = der(tags.sequence, der(tags.objectId, commonNameId), der(tags.utf8, Buffer.from(commonName)));
  return der(tags.sequence, der(tags.set, attribute));
}

function extension(id: readonly number[], value: Buffer): Buffer {
  return der(tags.sequence, der(tags.objectId, Buffer.from(id)), der(0x04, value));
}

export class TestAuthority {
  readonly #key: string;
  readonly #name: Buffer;
  readonly certificate: string;

  constructor(name = 'Test authority') {
    const pair = newKey();
    this.#key = pair.key;
    this.#name = nameOf(name);
    const isAuthority = extension([0x55, 0x1d, 0x13], der(tags.sequence, der(0x01, Buffer.from([0xff]))));
    this.certificate = this.#issue(this.#name, pair.publicKey, [isAuthority]);
  }

  server(commonName: string, names: readonly string[] = [commonName]): Pair {
    const pair = newKey();
    const alternatives = names.map((name) =>
      isIP(name) === 4 ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
    );
    const extensions = names.length > 0 ? [extension([0x55, 0x1d, 0x11], der(tags.sequence, ...alternatives))] : [];
    return { key: pair.key, certificate: this.#issue(nameOf(commonName), pair.publicKey, extensions) };
  }

  device(publicKeySpki: Buffer, serial: string): string {
    return this.#issue(nameOf(serial), publicKeySpki, []);
  }

  #issue(subject: Buffer, publicKey: Buffer, extensions: readonly Buffer[]): string {
    const number = randomBytes(8);
    number[0] = ((number[0] ?? 0) & 0x7f) | 0x40;
    const body = der(
      tags.sequence,
      der(0xa0, der(tags.integer, Buffer.from([2]))),
      der(tags.integer, number),
      algorithm,
      this.#name,
      validity,
      subject,
      publicKey,
      ...(extensions.length > 0 ? [der(0xa3, der(tags.sequence, ...extensions))] : []),
    );
    const signature = sign('sha256', body, createPrivateKey(this.#key));
    const whole = der(tags.sequence, body, algorithm, der(tags.bitString, Buffer.from([0]), signature));
    return pem('CERTIFICATE', whole);
  }
}

function newKey(): { key: string; publicKey: Buffer } {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: pair.publicKey.export({ type: 'spki', format: 'der' }),
  };
}

export function readRequest(requestPem: string): { publicKey: Buffer; commonName: string } {
  const bytes = Buffer.from(requestPem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const key = spkiIn(bytes);
  const nameAt = bytes.indexOf(commonNameId) + commonNameId.length;
  const size = bytes[nameAt + 1] ?? 0;
  return { publicKey: key, commonName: bytes.subarray(nameAt + 2, nameAt + 2 + size).toString('utf8') };
}

function spkiIn(request: Buffer): Buffer {
  const at = request.indexOf(Buffer.from([0x30, 0x59, 0x30, 0x13]));
  const spki = Buffer.from(request.subarray(at, at + 91));
  createPublicKey({ key: spki, format: 'der', type: 'spki' });
  return spki;
}
