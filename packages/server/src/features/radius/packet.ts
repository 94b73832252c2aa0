/** Packet codes (RFC 2865, RFC 2866, RFC 5176). */
export const codes = {
  accessRequest: 1,
  accessAccept: 2,
  accessReject: 3,
  accountingRequest: 4,
  accountingResponse: 5,
  disconnectRequest: 40,
  disconnectAck: 41,
  disconnectNak: 42,
} as const;

export const headerBytes = 20;
/** RFC 2865, section 3. */
export const maxPacketBytes = 4096;
export const maxValueBytes = 253;

export interface Attribute {
  type: number;
  value: Buffer;
}

export interface Packet {
  code: number;
  identifier: number;
  /** 16 bytes. */
  authenticator: Buffer;
  attributes: readonly Attribute[];
}

export type MalformedReason = 'short' | 'length' | 'attribute';

/** The only error of decoding. */
export class MalformedPacket extends Error {
  override readonly name = 'MalformedPacket';

  constructor(readonly reason: MalformedReason) {
    super(`malformed RADIUS packet: ${reason}`);
  }
}

/**
 * Drops padding behind the length (RFC 2865, section 3).
 * @throws MalformedPacket
 */
export function trimmed(data: Buffer): Buffer {
  if (data.length < headerBytes) throw new MalformedPacket('short');
  const length = data.readUInt16BE(2);
  if (length < headerBytes || length > maxPacketBytes || length > data.length) throw new MalformedPacket('length');
  return data.subarray(0, length);
}

/** Values are views of `data`. @throws MalformedPacket */
export function decodePacket(data: Buffer): Packet {
  const bytes = trimmed(data);
  const attributes: Attribute[] = [];
  for (let at = headerBytes; at < bytes.length; ) {
    const length = bytes[at + 1];
    if (length === undefined || length < 2 || at + length > bytes.length) throw new MalformedPacket('attribute');
    attributes.push({ type: bytes[at]!, value: bytes.subarray(at + 2, at + length) });
    at += length;
  }
  return { code: bytes[0]!, identifier: bytes[1]!, authenticator: bytes.subarray(4, headerBytes), attributes };
}

/** @throws RangeError above 253 bytes a value or 4,096 a packet */
export function encodePacket({ code, identifier, authenticator, attributes }: Packet): Buffer {
  let length = headerBytes;
  for (const { value } of attributes) {
    if (value.length > maxValueBytes) throw new RangeError('attribute too long');
    length += 2 + value.length;
  }
  if (length > maxPacketBytes) throw new RangeError('packet too long');
  const bytes = Buffer.alloc(length);
  bytes[0] = code;
  bytes[1] = identifier;
  bytes.writeUInt16BE(length, 2);
  authenticator.copy(bytes, 4, 0, 16);
  let at = headerBytes;
  for (const { type, value } of attributes) {
    bytes[at] = type;
    bytes[at + 1] = 2 + value.length;
    value.copy(bytes, at + 2);
    at += 2 + value.length;
  }
  return bytes;
}
