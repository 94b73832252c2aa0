import { isUtf8 } from 'node:buffer';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { bytesOf, typeOf } from './dictionary.ts';
import { codes, encodePacket, headerBytes, type Packet } from './packet.ts';

const zeros = Buffer.alloc(16);
const messageAuthenticator = typeOf('Message-Authenticator');

const md5 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Compares in constant time. */
function isSame(a: Buffer, b: Buffer): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

export type MessageAuthenticatorState = 'absent' | 'present' | 'invalid';

/** `invalid`: not 16 bytes, or several. */
export function messageAuthenticatorOf({ attributes }: Packet): MessageAuthenticatorState {
  const found = attributes.filter(({ type }) => type === messageAuthenticator);
  if (found.length === 0) return 'absent';
  return found.length === 1 && found[0]!.value.length === 16 ? 'present' : 'invalid';
}

const unsigned = (packet: Packet): Packet => ({
  ...packet,
  attributes: packet.attributes.map(({ type, value }) => ({
    type,
    value: type === messageAuthenticator ? zeros : value,
  })),
});

/** Computes HMAC-MD5 with a zero Message-Authenticator (RFC 3579, section 3.2). */
function messageAuthenticatorFor(packet: Packet, authenticator: Buffer, secret: Buffer): Buffer {
  return createHmac('md5', secret)
    .update(encodePacket({ ...unsigned(packet), authenticator }))
    .digest();
}

export function messageAuthenticatorCheck(request: Packet): (secret: Buffer) => boolean {
  const value = bytesOf(request, 'Message-Authenticator');
  if (value?.length !== 16) return () => false;
  const bytes = encodePacket(unsigned(request));
  return (secret) => timingSafeEqual(value, createHmac('md5', secret).update(bytes).digest());
}

/** Verifies accounting (RFC 2866, section 3); hashes the packet once for many secrets. */
export function requestAuthenticatorCheck(request: Packet): (secret: Buffer) => boolean {
  const hash = createHash('md5').update(encodePacket({ ...request, authenticator: zeros }));
  return (secret) => timingSafeEqual(request.authenticator, hash.copy().update(secret).digest());
}

/**
 * Encodes with the Response Authenticator (RFC 2865, section 3). Answers to Access-Request begin with a
 * Message-Authenticator, against forged ones (CVE-2024-3596).
 * @throws RangeError above 4,096 bytes
 */
export function encodeAnswer(
  request: Packet,
  { code, attributes }: Pick<Packet, 'code' | 'attributes'>,
  secret: Buffer,
): Buffer {
  const signs = request.code === codes.accessRequest;
  const signature = signs ? [{ type: messageAuthenticator, value: zeros }] : [];
  const draft: Packet = {
    code,
    identifier: request.identifier,
    authenticator: request.authenticator,
    attributes: [...signature, ...attributes],
  };
  const bytes = encodePacket(draft);
  if (signs) messageAuthenticatorFor(draft, request.authenticator, secret).copy(bytes, headerBytes + 2);
  md5(bytes, secret).copy(bytes, 4);
  return bytes;
}

/** Encodes RFC 5176, section 2.3, with a Message-Authenticator first. */
export function encodeDisconnect(
  identifier: number,
  attributes: Packet['attributes'],
  secret: Buffer,
): { bytes: Buffer; authenticator: Buffer } {
  const draft: Packet = {
    code: codes.disconnectRequest,
    identifier,
    authenticator: zeros,
    attributes: [{ type: messageAuthenticator, value: zeros }, ...attributes],
  };
  const bytes = encodePacket(draft);
  messageAuthenticatorFor(draft, zeros, secret).copy(bytes, headerBytes + 2);
  const authenticator = md5(bytes, secret);
  authenticator.copy(bytes, 4);
  return { bytes, authenticator };
}

/** Verifies the Response Authenticator of an answer to our request. */
export function isAnswerTo(authenticator: Buffer, answer: Packet, secret: Buffer): boolean {
  return isSame(answer.authenticator, md5(encodePacket({ ...answer, authenticator }), secret));
}

/** Returns a check for User-Password or CHAP-Password; null without either. */
export function proofOf(request: Packet, secret: Buffer): ((password: string) => boolean) | null {
  const chap = bytesOf(request, 'CHAP-Password');
  if (chap?.length === 17) {
    const challenge = bytesOf(request, 'CHAP-Challenge') ?? request.authenticator;
    return (password) => isSame(chap.subarray(1), md5(chap.subarray(0, 1), password, challenge));
  }
  const hidden = bytesOf(request, 'User-Password');
  if (!hidden || hidden.length === 0 || hidden.length > 128 || hidden.length % 16 !== 0) return null;
  const clear = revealPassword(hidden, request.authenticator, secret);
  return (password) => isSame(clear, paddedPassword(password, clear.length));
}

/** Reverses RFC 2865, section 5.2; keeps the padding. */
function revealPassword(hidden: Buffer, authenticator: Buffer, secret: Buffer): Buffer {
  const clear = Buffer.alloc(hidden.length);
  let previous = authenticator;
  for (let at = 0; at < hidden.length; at += 16) {
    const block = hidden.subarray(at, at + 16);
    const pad = md5(secret, previous);
    for (let i = 0; i < 16; i += 1) clear[at + i] = block[i]! ^ pad[i]!;
    previous = block;
  }
  return clear;
}

function paddedPassword(password: string, length: number): Buffer {
  const bytes = Buffer.from(password);
  return bytes.length >= length ? bytes : Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
}

/** Another secret yields it once in 2^32. */
const certainPadding = 4;

/**
 * Checks whether PAP decrypts to padding or text: another secret yields these less than three times in a million.
 */
export function readsPassword(request: Packet): ((secret: Buffer) => boolean) | null {
  const hidden = bytesOf(request, 'User-Password');
  if (!hidden) return null;
  if (hidden.length === 0 || hidden.length > 128 || hidden.length % 16 !== 0) return () => false;
  return (secret) => {
    const clear = revealPassword(hidden, request.authenticator, secret);
    const end = clear.findLastIndex((byte) => byte !== 0) + 1;
    const text = clear.subarray(0, end);
    if (text.includes(0)) return false;
    if (clear.length - end >= certainPadding) return true;
    return text.every((byte) => byte >= 0x20) && isUtf8(text);
  };
}
