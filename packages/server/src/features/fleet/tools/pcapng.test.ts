import { expect, it } from 'vitest';
import { captureFormat, pcapngOf } from './pcapng.ts';

interface Packet {
  seconds: number;
  fraction: number;
  data: Buffer;
  original?: number;
}

const packets: Packet[] = [
  { seconds: 1_790_000_000, fraction: 1, data: Buffer.from('first') },
  { seconds: 1_790_000_000, fraction: 999_999, data: Buffer.alloc(0), original: 60 },
  { seconds: 4_294_967_295, fraction: 250_000, data: Buffer.alloc(512, 7), original: 1500 },
];

function classic({ little = true, nano = false, linkType = 1, snapLength = 512 } = {}, all = packets): Buffer {
  const words = (...values: number[]) => {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [at, value] of values.entries())
      if (little) bytes.writeUInt32LE(value, at * 4);
      else bytes.writeUInt32BE(value, at * 4);
    return bytes;
  };
  const version = little ? 0x0004_0002 : 0x0002_0004;
  return Buffer.concat([
    words(nano ? 0xa1b23c4d : 0xa1b2c3d4, version, 0, 0, snapLength, linkType),
    ...all.flatMap(({ seconds, fraction, data, original = data.length }) => [
      words(seconds, fraction, data.length, original),
      data,
    ]),
  ]);
}

async function written(file: Buffer, pieceBytes = 7): Promise<Buffer> {
  async function* pieces() {
    for (let at = 0; at < file.length; at += pieceBytes) yield file.subarray(at, at + pieceBytes);
  }
  const parts: Buffer[] = [];
  for await (const part of pcapngOf(pieces())) parts.push(part);
  return Buffer.concat(parts);
}

/** Reads blocks by the specification. */
function blocksOf(file: Buffer): { type: number; body: Buffer }[] {
  const found: { type: number; body: Buffer }[] = [];
  for (let at = 0; at < file.length; ) {
    const length = file.readUInt32LE(at + 4);
    expect(length % 4).toBe(0);
    expect(file.readUInt32LE(at + length - 4)).toBe(length);
    found.push({ type: file.readUInt32LE(at), body: file.subarray(at + 8, at + length - 4) });
    at += length;
  }
  return found;
}

function packetsOf(file: Buffer) {
  const [section, link, ...rest] = blocksOf(file);
  expect(section).toMatchObject({ type: 0x0a0d0d0a });
  expect(section!.body.readUInt32LE(0)).toBe(0x1a2b3c4d);
  expect(link!.type).toBe(1);
  return {
    linkType: link!.body.readUInt16LE(0),
    snapLength: link!.body.readUInt32LE(4),
    options: link!.body.subarray(8),
    packets: rest.map(({ type, body }) => {
      expect(type).toBe(6);
      expect(body.readUInt32LE(0)).toBe(0);
      const length = body.readUInt32LE(12);
      return {
        time: (BigInt(body.readUInt32LE(4)) << 32n) + BigInt(body.readUInt32LE(8)),
        original: body.readUInt32LE(16),
        data: body.subarray(20, 20 + length),
      };
    }),
  };
}

it.each([{ little: true }, { little: false }])('keeps packets, lengths and times of a capture: %o', async (order) => {
  const file = packetsOf(await written(classic({ ...order, linkType: 113 })));
  expect(file).toMatchObject({ linkType: 113, snapLength: 512 });
  expect(file.options).toHaveLength(0);
  expect(file.packets).toEqual(
    packets.map(({ seconds, fraction, data, original = data.length }) => ({
      time: BigInt(seconds) * 1_000_000n + BigInt(fraction),
      original,
      data,
    })),
  );
});

it('names nanoseconds', async () => {
  const { options, packets: read } = packetsOf(await written(classic({ nano: true })));
  expect([options.readUInt16LE(0), options.readUInt16LE(2), options.readUInt8(4)]).toEqual([9, 1, 9]);
  expect(read[0]!.time).toBe(1_790_000_000_000_000_001n);
});

it('is the same whatever the size of the pieces', async () => {
  const file = classic();
  const whole = await written(file, file.length);
  for (const size of [1, 16, 100]) expect((await written(file, size)).equals(whole)).toBe(true);
});

it('ends before a record that is cut off, or larger than any packet', async () => {
  const file = classic();
  expect(packetsOf(await written(file.subarray(0, file.length - 1))).packets).toHaveLength(2);
  const huge = Buffer.concat([classic({}, packets.slice(0, 1)), Buffer.alloc(16, 0xff), Buffer.alloc(1000)]);
  expect(packetsOf(await written(huge)).packets).toHaveLength(1);
  expect(await written(Buffer.from('neither'))).toHaveLength(0);
});

it('recognises captures', async () => {
  expect(captureFormat(classic({ little: false, nano: true }))).toBe('pcap');
  expect(captureFormat(await written(classic()))).toBe('pcapng');
  expect(captureFormat(Buffer.from('abc'))).toBeNull();
  expect(captureFormat(Buffer.from('abcd'))).toBeNull();
});
