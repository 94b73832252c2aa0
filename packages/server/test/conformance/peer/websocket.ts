import { randomBytes } from 'node:crypto';

/** Raw RFC 6455 frames, for exact sizes, masks and fragments. */

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface Frame {
  fin: boolean;
  opcode: number;
  masked: boolean;
  payload: Buffer;
}

export interface FrameOptions {
  fin?: boolean;
  opcode?: number;
  /** False violates the masking rule. */
  masked?: boolean;
  /** Reserved bits, 0-7; non-zero violates the protocol. */
  reserved?: number;
  /** False length for the header. */
  claimedLength?: number;
}

export function encodeFrame(payload: Buffer | string, options: FrameOptions = {}): Buffer {
  const body = Buffer.from(payload);
  const { fin = true, opcode = opcodes.text, masked = true, reserved = 0, claimedLength = body.length } = options;
  const header = [Buffer.from([(fin ? 0x80 : 0) | (reserved << 4) | opcode]), lengthBytes(claimedLength, masked)];
  if (!masked) return Buffer.concat([...header, body]);
  const mask = randomBytes(4);
  for (let at = 0; at < body.length; at += 1) body[at] = (body[at] as number) ^ (mask[at & 3] as number);
  return Buffer.concat([...header, mask, body]);
}

function lengthBytes(length: number, masked: boolean): Buffer {
  const bit = masked ? 0x80 : 0;
  if (length < 126) return Buffer.from([bit | length]);
  if (length < 65_536) {
    const short = Buffer.from([bit | 126, 0, 0]);
    short.writeUInt16BE(length, 1);
    return short;
  }
  const long = Buffer.alloc(9);
  long[0] = bit | 127;
  long.writeBigUInt64BE(BigInt(length), 1);
  return long;
}

export class FrameReader {
  #rest = Buffer.alloc(0);

  push(bytes: Buffer): Frame[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame; frame = this.#next()) frames.push(frame);
    return frames;
  }

  #next(): Frame | null {
    const bytes = this.#rest;
    if (bytes.length < 2) return null;
    const [first, second] = [bytes[0] as number, bytes[1] as number];
    const short = second & 0x7f;
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    const masked = (second & 0x80) !== 0;
    const start = 2 + extra + (masked ? 4 : 0);
    if (bytes.length < start) return null;
    const length = extra === 2 ? bytes.readUInt16BE(2) : extra === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (bytes.length < start + length) return null;
    const payload = Buffer.from(bytes.subarray(start, start + length));
    if (masked) {
      const mask = bytes.subarray(start - 4, start);
      for (let at = 0; at < payload.length; at += 1) payload[at] = (payload[at] as number) ^ (mask[at & 3] as number);
    }
    this.#rest = bytes.subarray(start + length);
    return { fin: (first & 0x80) !== 0, opcode: first & 0x0f, masked, payload };
  }
}
