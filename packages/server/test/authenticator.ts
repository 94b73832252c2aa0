import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Oddities {
  origin?: string;
  /** User verification flag (PIN, fingerprint). */
  verified?: boolean;
  counter?: number;
}

export interface CreationOptions {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}
export interface RequestOptions {
  challenge: string;
  rpId?: string;
}

/** Flags of authenticator data (WebAuthn level 3, section 6.1). */
const present = 0x01;
const verified = 0x04;
const attested = 0x40;

/**
 * One P-256 resident credential, attestation `none`, answers like `PublicKeyCredential.toJSON()` (WebAuthn level 3,
 * section 5.1).
 */
export class SoftAuthenticator {
  readonly id = randomBytes(32);
  counter = 0;
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  #userHandle = '';

  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
  }

  create(options: CreationOptions, odd: Oddities = {}) {
    this.#userHandle = options.user.id;
    const authData = Buffer.concat([
      this.#authData(options.rp.id ?? '', odd, attested),
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      this.#coseKey(),
    ]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      bytes(authData),
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, odd),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  get(options: RequestOptions, odd: Oddities = {}) {
    this.counter += 1;
    const authData = this.#authData(options.rpId ?? '', odd, 0);
    const clientData = this.#clientData('webauthn.get', options.challenge, odd);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientData, 'base64url'))]);
    return this.#answer({
      clientDataJSON: clientData,
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
      userHandle: this.#userHandle,
    });
  }

  #answer<T>(response: T) {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const, response, clientExtensionResults: {} };
  }

  #authData(rpId: string, { verified: uv = true, counter = this.counter }: Oddities, more: number): Buffer {
    const tail = Buffer.alloc(5);
    tail.writeUInt8(present | (uv ? verified : 0) | more, 0);
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(Buffer.from(rpId)), tail]);
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Oddities): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
  }

  /** COSE public key (RFC 9053, section 7.1): EC2, ES256, P-256, x, y. */
  #coseKey(): Buffer {
    const { x, y } = this.#publicKey.export({ format: 'jwk' });
    const coordinate = (value: string | undefined) => bytes(Buffer.from(value ?? '', 'base64url'));
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      coordinate(x),
      Buffer.from([0x22]),
      coordinate(y),
    ]);
  }
}

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest();

const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

function bytes(value: Buffer): Buffer {
  const head = value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}
