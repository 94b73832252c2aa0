import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const channelsOf: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

export function shrinkPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const { palette, indexes } = toPalette(pixels);
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) lines.set(indexes.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits, indexed
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function decode(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const parts: Buffer[] = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = channelsOf[body[9]!] ?? 0;
      if (body[8] !== 8 || channels === 0 || body[12] !== 0)
        throw new Error('not the kind of PNG that Chromium writes');
    }
    if (type === 'IDAT') parts.push(body);
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1);
    const line = unfilter(raw[start]!, raw.subarray(start + 1, start + 1 + stride), above, channels);
    for (let x = 0; x < width; x++) {
      const at = x * channels;
      pixels[y * width + x] = (line[at]! << 16) | (line[at + 1]! << 8) | line[at + 2]!;
    }
    above = line;
  }
  return { width, height, pixels };
}

/** Reverses PNG, section 9.2. */
function unfilter(filter: number, coded: Uint8Array, above: Uint8Array, step: number): Uint8Array<ArrayBuffer> {
  const line = new Uint8Array(coded.length);
  for (let x = 0; x < coded.length; x++) {
    const left = x < step ? 0 : line[x - step]!;
    const up = above[x]!;
    const corner = x < step ? 0 : above[x - step]!;
    const guess = [0, left, up, (left + up) >> 1, filter === 4 ? paeth(left, up, corner) : 0][filter] ?? 0;
    line[x] = coded[x]! + guess;
  }
  return line;
}

function paeth(left: number, up: number, corner: number): number {
  const sum = left + up - corner;
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** Chooses 256 colours: the most frequent, then the worst represented, so that small marks survive gradients. */
function toPalette(pixels: Uint32Array): { palette: Buffer; indexes: Uint8Array } {
  const seen = new Map<number, number>();
  for (const colour of pixels) seen.set(colour, (seen.get(colour) ?? 0) + 1);
  const all = [...seen]
    .toSorted((a, b) => b[1] - a[1])
    .map(([colour, count]) => ({ colour, weight: Math.sqrt(count) }));
  const miss = all.map(() => Number.POSITIVE_INFINITY);
  const nearest = all.map(() => 0);
  const colours: number[] = [];
  for (let next = 0; next >= 0 && colours.length < 256; ) {
    const added = all[next]!.colour;
    let worst = 0;
    next = -1;
    all.forEach(({ colour, weight }, index) => {
      const distance = between(colour, added);
      if (distance < miss[index]!) [miss[index], nearest[index]] = [distance, colours.length];
      const error = miss[index]! * weight;
      if (error > worst) [worst, next] = [error, index];
    });
    colours.push(added);
  }
  const palette = Buffer.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const indexOf = new Map(all.map(({ colour }, index) => [colour, nearest[index]!]));
  return { palette, indexes: Uint8Array.from(pixels, (colour) => indexOf.get(colour)!) };
}

function between(one: number, other: number): number {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 255) - ((other >> 8) & 255);
  const blue = (one & 255) - (other & 255);
  return red * red + green * green + blue * blue;
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(body.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
