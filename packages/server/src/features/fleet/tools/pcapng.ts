/** Classic captures (libpcap) as pcapng (draft-ietf-opsawg-pcapng); little-endian, one section, one interface. */

const classic = { microseconds: 0xa1b2c3d4, nanoseconds: 0xa1b23c4d } as const;
const blocks = { section: 0x0a0d0d0a, interface: 1, packet: 6 } as const;
const byteOrderMagic = 0x1a2b3c4d;
/** Bytes of headers of file and packet. */
const [fileHead, packetHead] = [24, 16];
/** Maximum of libpcap. */
const maxPacketBytes = 262_144;

export type CaptureFormat = 'pcap' | 'pcapng' | null;

/** Decides by the first four bytes. */
export function captureFormat(start: Buffer): CaptureFormat {
  if (start.length < 4) return null;
  if (start.readUInt32LE(0) === blocks.section) return 'pcapng';
  return orderOf(start) === null ? null : 'pcap';
}

interface Order {
  little: boolean;
  nano: boolean;
}

function orderOf(start: Buffer): Order | null {
  for (const little of [true, false]) {
    const magic = little ? start.readUInt32LE(0) : start.readUInt32BE(0);
    if (magic === classic.microseconds || magic === classic.nanoseconds)
      return { little, nano: magic === classic.nanoseconds };
  }
  return null;
}

/** Ends before a record that is cut off or larger than any packet. */
export async function* pcapngOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let order: Order | null = null;
  for await (const piece of pieces) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const written: Buffer[] = [];
    if (order === null) {
      if (rest.length < fileHead) continue;
      order = orderOf(rest);
      if (order === null) return;
      const word = wordsOf(rest, order);
      written.push(sectionHead(), interfaceHead(word(20) & 0xffff, word(16), order.nano));
      rest = rest.subarray(fileHead);
    }
    const { bytes, left, wrong } = packetsOf(rest, order);
    yield Buffer.concat([...written, ...bytes]);
    if (wrong) return;
    rest = left;
  }
}

const wordsOf =
  (from: Buffer, { little }: Order) =>
  (at: number) =>
    little ? from.readUInt32LE(at) : from.readUInt32BE(at);

function packetsOf(from: Buffer, order: Order): { bytes: Buffer[]; left: Buffer; wrong: boolean } {
  const word = wordsOf(from, order);
  const bytes: Buffer[] = [];
  let at = 0;
  while (at + packetHead <= from.length) {
    const length = word(at + 8);
    if (length > maxPacketBytes) return { bytes, left: from, wrong: true };
    const end = at + packetHead + length;
    if (end > from.length) break;
    const units = BigInt(order.nano ? 1_000_000_000 : 1_000_000);
    const time = BigInt(word(at)) * units + BigInt(word(at + 4));
    bytes.push(packetBlock(from.subarray(at + packetHead, end), time, word(at + 12)));
    at = end;
  }
  return { bytes, left: from.subarray(at), wrong: false };
}

function block(type: number, body: Buffer): Buffer {
  const length = 12 + body.length;
  const head = Buffer.alloc(8);
  head.writeUInt32LE(type, 0);
  head.writeUInt32LE(length, 4);
  const tail = Buffer.alloc(4);
  tail.writeUInt32LE(length, 0);
  return Buffer.concat([head, body, tail]);
}

function sectionHead(): Buffer {
  const body = Buffer.alloc(16);
  body.writeUInt32LE(byteOrderMagic, 0);
  body.writeUInt16LE(1, 4);
  // unknown length
  body.writeBigInt64LE(-1n, 8);
  return block(blocks.section, body);
}

/** Option `if_tsresol` (9); the default is 10^-6 s. */
function interfaceHead(linkType: number, snapLength: number, nano: boolean): Buffer {
  const body = Buffer.alloc(nano ? 20 : 8);
  body.writeUInt16LE(linkType, 0);
  body.writeUInt32LE(snapLength, 4);
  if (nano) {
    body.writeUInt16LE(9, 8);
    body.writeUInt16LE(1, 10);
    body.writeUInt8(9, 12);
  }
  return block(blocks.interface, body);
}

function packetBlock(data: Buffer, time: bigint, original: number): Buffer {
  const body = Buffer.alloc(20 + Math.ceil(data.length / 4) * 4);
  body.writeUInt32LE(Number(time >> 32n), 4);
  body.writeUInt32LE(Number(time & 0xffff_ffffn), 8);
  body.writeUInt32LE(data.length, 12);
  body.writeUInt32LE(original, 16);
  data.copy(body, 20);
  return block(blocks.packet, body);
}
