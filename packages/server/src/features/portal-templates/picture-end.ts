/** Returns the end of a PNG, JPEG or GIF; null otherwise. Bytes beyond make a file readable as something else. */
export function endOfPicture(file: Buffer): number | null {
  try {
    if (file.subarray(0, 8).equals(pngHead)) return endOfPng(file);
    if (file.readUInt16BE(0) === 0xffd8) return endOfJpeg(file);
    if (/^GIF8[79]a$/.test(file.toString('latin1', 0, 6))) return endOfGif(file);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads a chunk (PNG, section 5.3): length, type, data, checksum. */
function endOfPng(file: Buffer): number {
  for (let at = 8; ; ) {
    const next = at + 12 + file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IEND') return within(file, next);
    at = next;
  }
}

/** Reads ITU-T T.81, annex B: segments, and entropy-coded data. */
function endOfJpeg(file: Buffer): number {
  for (let at = 2; ; ) {
    if (file.readUInt8(at) !== 0xff) throw new RangeError('no marker');
    const marker = file.readUInt8(at + 1);
    if (marker === 0xd9) return at + 2;
    if (marker === 0xff) at += 1;
    else {
      at += 2 + file.readUInt16BE(at + 2);
      if (marker === 0xda) at = afterScan(file, at);
    }
  }
}

function afterScan(file: Buffer, from: number): number {
  for (let at = from; ; at += 1) {
    const found = file.indexOf(0xff, at);
    if (found === -1) throw new RangeError('no end of scan');
    const next = file.readUInt8(found + 1);
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return found;
    at = found;
  }
}

/** Reads GIF89a, appendix A: sub-blocks up to the trailer. */
function endOfGif(file: Buffer): number {
  for (let at = 13 + colourBytes(file.readUInt8(10)); ; ) {
    const kind = file.readUInt8(at);
    if (kind === 0x3b) return at + 1;
    if (kind === 0x21) at = afterSubBlocks(file, at + 2);
    else if (kind === 0x2c) at = afterSubBlocks(file, at + 11 + colourBytes(file.readUInt8(at + 9)));
    else throw new RangeError('unknown block');
  }
}

const colourBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function afterSubBlocks(file: Buffer, from: number): number {
  let at = from;
  for (let size = file.readUInt8(at); size > 0; size = file.readUInt8(at)) at += size + 1;
  return at + 1;
}

function within(file: Buffer, end: number): number {
  if (end > file.length) throw new RangeError('cut off');
  return end;
}
