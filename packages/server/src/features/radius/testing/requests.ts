import { createHash, createHmac, randomBytes } from 'node:crypto';
import { attribute } from '../dictionary.ts';
import { authenticatorResponse, ntPasswordHash, ntResponseOf } from '../ms-chap.ts';
import { type Attribute, codes, encodePacket } from '../packet.ts';

const md5 = (...parts: (Buffer | string)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('md5')).digest();

export const chapResponse = (identifier: number, password: string, challenge: Buffer): Buffer =>
  md5(Buffer.of(identifier), password, challenge);

/** Returns what a NAS sends for a guest who answers `challenge` (RFC 2548, section 2.3). */
export function msChap2Attributes(username: string, password: string, ident = 7) {
  const [challenge, peerChallenge] = [randomBytes(16), randomBytes(16)];
  const exchange = { challenge, response: { peerChallenge, ntResponse: Buffer.alloc(24) }, username };
  const ntResponse = ntResponseOf(exchange, ntPasswordHash(password));
  const response = Buffer.concat([Buffer.of(ident, 0), peerChallenge, Buffer.alloc(8), ntResponse]);
  const success = authenticatorResponse(
    { ...exchange, response: { peerChallenge, ntResponse } },
    ntPasswordHash(password),
  );
  return { challenge, response, success };
}

export interface AccessRequest {
  secret: string;
  username: string;
  password?: string;
  /** Of the password; default UTF-8. */
  encoding?: BufferEncoding;
  identifier?: number;
  /** Default true. */
  pap?: boolean;
  signs?: boolean;
  attributes?: Attribute[];
}

export function accessRequest(options: AccessRequest): Buffer {
  const { secret, username, password = '', identifier = 1, signs = false, pap = true, attributes = [] } = options;
  const { encoding = 'utf8' } = options;
  const authenticator = randomBytes(16);
  const clear = Buffer.alloc(Math.max(16, Math.ceil(password.length / 16) * 16));
  clear.write(password, encoding);
  const hidden = Buffer.alloc(clear.length);
  for (let at = 0; at < clear.length; at += 16) {
    const pad = md5(secret, at === 0 ? authenticator : hidden.subarray(at - 16, at));
    for (let i = at; i < at + 16; i += 1) hidden[i] = clear[i]! ^ pad[i - at]!;
  }
  const signature = signs ? [attribute('Message-Authenticator', Buffer.alloc(16))] : [];
  const bytes = encodePacket({
    code: codes.accessRequest,
    identifier,
    authenticator,
    attributes: [
      ...signature,
      attribute('User-Name', username),
      ...(pap ? [attribute('User-Password', hidden)] : []),
      ...attributes,
    ],
  });
  if (signs) createHmac('md5', secret).update(bytes).digest().copy(bytes, 22);
  return bytes;
}

export function accountingRequest(secret: string, identifier: number, attributes: Attribute[]): Buffer {
  const bytes = encodePacket({
    code: codes.accountingRequest,
    identifier,
    authenticator: Buffer.alloc(16),
    attributes,
  });
  md5(bytes, secret).copy(bytes, 4);
  return bytes;
}
