import { inflateRawSync } from 'node:zlib';

/** The file is no archive, a part of it is broken, or it holds more than it may. */
export class BadArchive extends Error {}

/** So many parts a file of ours may have. */
const mostEntries = 200;

/**
 * The parts of a ZIP archive (APPNOTE 6.3.10) by name, those whose names fit. What they inflate to is bounded by what is
 * really written, not by what the archive claims.
 * @throws BadArchive
 */
export function unzip(file: Buffer, fits: (name: string) => boolean, mostBytes: number): Map<string, Buffer> {
  try {
    return parts(file, fits, mostBytes);
  } catch (error) {
    if (error instanceof BadArchive) throw error;
    // offsets beyond the file, a stream that is none, or one that grows beyond its bound
    throw new BadArchive('broken archive', { cause: error });
  }
}

function parts(file: Buffer, fits: (name: string) => boolean, mostBytes: number): Map<string, Buffer> {
  // the end record is followed by a comment of at most 65535 bytes
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0) throw new BadArchive('no archive');
  const count = file.readUInt16LE(end + 10);
  if (count > mostEntries) throw new BadArchive('too many parts');
  let at = file.readUInt32LE(end + 16);
  let left = mostBytes;
  const found = new Map<string, Buffer>();
  for (let entry = 0; entry < count; entry += 1) {
    if (file.readUInt32LE(at) !== 0x02014b50) throw new BadArchive('broken directory');
    const [method, packed] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => file.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const begin = file.readUInt32LE(at + 42);
    const name = file.toString('utf8', at + 46, at + 46 + nameLength);
    at += 46 + nameLength + extra + comment;
    if (!fits(name)) continue;
    const data = begin + 30 + file.readUInt16LE(begin + 26) + file.readUInt16LE(begin + 28);
    const raw = file.subarray(data, data + packed);
    if (left <= 0 || (method !== 0 && method !== 8)) throw new BadArchive('too large, or packed in another way');
    const content = method === 0 ? raw : inflateRawSync(raw, { maxOutputLength: left });
    left -= content.length;
    found.set(name, content);
  }
  return found;
}
