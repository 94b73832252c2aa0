import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export type RadiusAttribute = readonly [type: number, value: Buffer];

export const md5 = (...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const headBytes = 20;

/** Encodes RFC 2865, section 3. */
export function encodeRadius(
  code: number,
  id: number,
  authenticator: Buffer,
  attributes: readonly RadiusAttribute[],
): Buffer {
  const body = Buffer.concat(attributes.flatMap(([type, value]) => [Buffer.of(type, value.length + 2), value]));
  const bytes = Buffer.concat([Buffer.alloc(headBytes), body]);
  bytes[0] = code;
  bytes[1] = id;
  bytes.writeUInt16BE(bytes.length, 2);
  authenticator.copy(bytes, 4);
  return bytes;
}

/** Signs a request whose authenticator is a hash (RFC 2866, section 3). */
export function signRadius(request: Buffer, secret: string): Buffer {
  md5(request, secret).copy(request, 4);
  return request;
}

export function radiusAttributes(bytes: Buffer): RadiusAttribute[] {
  const found: RadiusAttribute[] = [];
  for (let at = headBytes; at + 2 <= bytes.length; ) {
    const length = bytes[at + 1]!;
    if (length < 2 || at + length > bytes.length) break;
    found.push([bytes[at]!, bytes.subarray(at + 2, at + length)]);
    at += length;
  }
  return found;
}

export const attributeOf = (attributes: readonly RadiusAttribute[], type: number): Buffer | undefined =>
  attributes.find(([own]) => own === type)?.[1];

const isHashOf = (bytes: Buffer, authenticator: Buffer, secret: string) =>
  bytes.length >= headBytes &&
  timingSafeEqual(
    bytes.subarray(4, headBytes),
    md5(bytes.subarray(0, 4), authenticator, bytes.subarray(headBytes), secret),
  );

export const isRadiusAnswer = (answer: Buffer, request: Buffer, secret: string): boolean =>
  isHashOf(answer, request.subarray(4, headBytes), secret);

export const isSignedRequest = (request: Buffer, secret: string): boolean =>
  isHashOf(request, Buffer.alloc(16), secret);

const messageAuthenticator = 80;

/** Answers with a Message-Authenticator (RFC 5176, section 2.3). */
export function answerRadius(request: Buffer, code: number, secret: string): Buffer {
  const authenticator = request.subarray(4, headBytes);
  const signed = (value: Buffer) => encodeRadius(code, request[1]!, authenticator, [[messageAuthenticator, value]]);
  const signature = createHmac('md5', secret)
    .update(signed(Buffer.alloc(16)))
    .digest();
  return signRadius(signed(signature), secret);
}
