import { createCipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { md4 } from './md4.ts';

/** RFC 2548, section 2.3.2. */
export interface MsChap2Response {
  ident: number;
  peerChallenge: Buffer;
  ntResponse: Buffer;
}

const responseBytes = 50;
export const challengeBytes = 16;

/** Returns null unless well-formed. */
export function readMsChap2Response(value: Buffer | null): MsChap2Response | null {
  if (value?.length !== responseBytes) return null;
  return { ident: value[0]!, peerChallenge: value.subarray(2, 18), ntResponse: value.subarray(26, 50) };
}

export interface MsChap2Exchange {
  challenge: Buffer;
  response: Pick<MsChap2Response, 'peerChallenge' | 'ntResponse'>;
  username: string;
}

const sha1 = (...parts: (Buffer | string)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha1')).digest();

/** RFC 2759, section 8.2: without the domain of `DOMAIN\name`. */
const challengeHash = ({ challenge, response, username }: MsChap2Exchange) =>
  sha1(response.peerChallenge, challenge, username.slice(username.lastIndexOf('\\') + 1)).subarray(0, 8);

export const ntPasswordHash = (password: string): Buffer => md4(Buffer.from(password, 'utf16le'));

/** Spreads 56 bits over 8 bytes; DES ignores the lowest bit of each. */
function desKey(bits: Buffer): Buffer {
  const all = BigInt(`0x${bits.toString('hex')}`);
  return Buffer.from(Array.from({ length: 8 }, (_, at) => Number((all >> BigInt(49 - 7 * at)) & 0x7fn) << 1));
}

/** Triple DES with one key is DES, which OpenSSL 3 no longer offers alone. */
function des(bits: Buffer, block: Buffer): Buffer {
  const key = desKey(bits);
  const cipher = createCipheriv('des-ede3', Buffer.concat([key, key, key]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

/** RFC 2759, section 8.5. */
function challengeResponse(challenge: Buffer, passwordHash: Buffer): Buffer {
  const padded = Buffer.concat([passwordHash, Buffer.alloc(5)]);
  return Buffer.concat([0, 7, 14].map((at) => des(padded.subarray(at, at + 7), challenge)));
}

const magic1 = 'Magic server to client signing constant';
const magic2 = 'Pad to make it do more than one iteration';

/** RFC 2759, section 8.7: proves to the guest that the server knows the password. */
export function authenticatorResponse(exchange: MsChap2Exchange, passwordHash: Buffer): string {
  const digest = sha1(md4(passwordHash), exchange.response.ntResponse, magic1);
  return `S=${sha1(digest, challengeHash(exchange), magic2).toString('hex').toUpperCase()}`;
}

/** RFC 2759, section 8.1. */
export const ntResponseOf = (exchange: MsChap2Exchange, passwordHash: Buffer): Buffer =>
  challengeResponse(challengeHash(exchange), passwordHash);

/** Returns the password's hash if the response was made with it, else null. */
export function checkMsChap2(exchange: MsChap2Exchange, password: string): Buffer | null {
  const hash = ntPasswordHash(password);
  return timingSafeEqual(ntResponseOf(exchange, hash), exchange.response.ntResponse) ? hash : null;
}

/** RFC 2759, section 6: authentication failure, no retry. */
export const failureText = (): string =>
  `E=691 R=0 C=${randomBytes(challengeBytes).toString('hex').toUpperCase()} V=3 M=Authentication failed`;
