export interface Segment {
  src: string;
  dst: string;
  sport: number;
  dport: number;
  payload: Uint8Array;
}

/** Bytes; a longer record means a broken stream. */
const longest = 262_144;
const ethernet = 1;

/**
 * Reads `tcpdump -w -` incrementally (pcap, micro- or nanoseconds, both byte orders). Sets `broken` on invalid input.
 */
export class PcapReader {
  #rest: Buffer = Buffer.alloc(0);
  #little: boolean | null = null;
  broken = false;

  push(part: Uint8Array): Uint8Array[] {
    if (this.broken) return [];
    this.#rest = this.#rest.length === 0 ? Buffer.from(part) : Buffer.concat([this.#rest, part]);
    if (this.#little === null && !this.#begin()) return [];
    const packets: Uint8Array[] = [];
    while (this.#rest.length >= 16) {
      const size = this.#u32(8);
      if (size > longest) {
        this.broken = true;
        this.#rest = Buffer.alloc(0);
        break;
      }
      if (this.#rest.length < 16 + size) break;
      packets.push(this.#rest.subarray(16, 16 + size));
      this.#rest = this.#rest.subarray(16 + size);
    }
    return packets;
  }

  #begin(): boolean {
    if (this.#rest.length < 24) return false;
    const magic = this.#rest.readUInt32LE(0);
    const known = [0xa1b2c3d4, 0xa1b23c4d];
    if (known.includes(magic)) this.#little = true;
    else if (known.includes(this.#rest.readUInt32BE(0))) this.#little = false;
    if (this.#little === null || (this.#u32(20) & 0xffff) !== ethernet) {
      this.broken = true;
      this.#rest = Buffer.alloc(0);
      return false;
    }
    this.#rest = this.#rest.subarray(24);
    return true;
  }

  #u32(at: number): number {
    return this.#little ? this.#rest.readUInt32LE(at) : this.#rest.readUInt32BE(at);
  }
}

export function segmentOf(frame: Uint8Array): Segment | null {
  const u16 = (at: number) => frame[at]! * 256 + frame[at + 1]!;
  if (frame.length < 14) return null;
  let at = 12;
  while (at + 4 <= frame.length && (u16(at) === 0x8100 || u16(at) === 0x88a8)) at += 4;
  if (at + 2 > frame.length) return null;
  const type = u16(at);
  at += 2;
  let src: string;
  let dst: string;
  let end: number;
  if (type === 0x0800) {
    if (at + 20 > frame.length || frame[at]! >> 4 !== 4 || frame[at + 9] !== 6) return null;
    // later fragments have no TCP header
    if ((u16(at + 6) & 0x1fff) !== 0) return null;
    src = [...frame.subarray(at + 12, at + 16)].join('.');
    dst = [...frame.subarray(at + 16, at + 20)].join('.');
    end = u16(at + 2) === 0 ? frame.length : at + u16(at + 2);
    at += (frame[at]! & 15) * 4;
  } else if (type === 0x86dd) {
    if (at + 40 > frame.length || frame[at]! >> 4 !== 6 || frame[at + 6] !== 6) return null;
    src = v6(frame.subarray(at + 8, at + 24));
    dst = v6(frame.subarray(at + 24, at + 40));
    end = u16(at + 4) === 0 ? frame.length : at + 40 + u16(at + 4);
    at += 40;
  } else return null;
  if (at + 20 > frame.length) return null;
  const [sport, dport] = [u16(at), u16(at + 2)];
  const payload = at + (frame[at + 12]! >> 4) * 4;
  return { src, dst, sport, dport, payload: frame.subarray(payload, Math.max(payload, Math.min(end, frame.length))) };
}

function v6(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes[index * 2]! * 256 + bytes[index * 2 + 1]!);
  let best = { at: -1, length: 1 };
  for (let at = 0; at < 8; at += 1) {
    let length = 0;
    while (at + length < 8 && groups[at + length] === 0) length += 1;
    if (length > best.length) best = { at, length };
  }
  const text = (part: number[]) => part.map((group) => group.toString(16)).join(':');
  if (best.at < 0) return text(groups);
  return `${text(groups.slice(0, best.at))}::${text(groups.slice(best.at + best.length))}`;
}
