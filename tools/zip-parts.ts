import { crc32, inflateRawSync } from 'node:zlib';

const [endMark, entryMark, headMark] = [0x06054b50, 0x02014b50, 0x04034b50];
const stored = 0;

/** @throws Error for a wrong mark, name, size or checksum (APPNOTE 6.3, section 4.3) */
export function readZipParts(archive: Buffer): Map<string, string> {
  const parts = new Map<string, string>();
  const end = archive.length - 22;
  demand(archive.readUInt32LE(end) === endMark, 'the archive has no end');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    demand(archive.readUInt32LE(at) === entryMark, `no entry at ${at}`);
    const [packedSize, size] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)];
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const head = archive.readUInt32LE(at + 42);
    demand(archive.readUInt32LE(head) === headMark, `${name} is not where the directory says`);
    const nameEnd = head + 30 + archive.readUInt16LE(head + 26);
    demand(archive.toString('utf8', head + 30, nameEnd) === name, `${name} has another name in its place`);
    const start = nameEnd + archive.readUInt16LE(head + 28);
    const packed = archive.subarray(start, start + packedSize);
    const content = archive.readUInt16LE(at + 10) === stored ? packed : inflateRawSync(packed);
    demand(content.length === size, `${name} has another size`);
    demand(crc32(content) === archive.readUInt32LE(at + 16), `${name} has another checksum`);
    parts.set(name, content.toString('utf8'));
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return parts;
}

function demand(holds: boolean, why: string): asserts holds {
  if (!holds) throw new Error(why);
}
