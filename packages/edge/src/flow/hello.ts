import { readName } from './rules.ts';

/** Returns the name in a ClientHello (RFC 8446 4.1.2, RFC 6066 3), or null. Later segments and QUIC are not read. */
export function serverName(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u8 = (at: number) => (at < bytes.length ? bytes[at]! : -1);
  const u16 = (at: number) => (at + 2 <= bytes.length ? view.getUint16(at) : -1);
  if (u8(0) !== 22 || u8(1) !== 3 || u8(5) !== 1) return null;
  // record 5, handshake 4, version 2, random 32
  let at = 5 + 4 + 2 + 32;
  const session = u8(at);
  if (session < 0 || session > 32) return null;
  at += 1 + session;
  const ciphers = u16(at);
  if (ciphers < 0) return null;
  at += 2 + ciphers;
  const compressions = u8(at);
  if (compressions < 0) return null;
  at += 1 + compressions;
  const extensions = u16(at);
  if (extensions < 0) return null;
  at += 2;
  for (const end = at + extensions; at + 4 <= end; ) {
    const type = u16(at);
    const length = u16(at + 2);
    if (type < 0 || length < 0) return null;
    if (type === 0) return nameIn(bytes.subarray(at + 4, at + 4 + length), length);
    at += 4 + length;
  }
  return null;
}

function nameIn(extension: Uint8Array, length: number): string | null {
  if (extension.length !== length || length < 5 || extension[2] !== 0) return null;
  const size = extension[3]! * 256 + extension[4]!;
  if (size === 0 || 5 + size > length) return null;
  const text = Buffer.from(extension.subarray(5, 5 + size)).toString('latin1');
  return /^[\d.]+$/.test(text) ? null : readName(text);
}
