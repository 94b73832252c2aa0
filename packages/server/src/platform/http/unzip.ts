import { Unzip, UnzipInflate } from 'fflate';

export class BadArchive extends Error {}

const maxEntries = 200;
/** Between checks: deflate expands a thousandfold at most. */
const slice = 16_384;

/** Limits the real output to `maxBytes`, not the sizes in the headers. @throws BadArchive */
export function unzip(file: Buffer, fits: (name: string) => boolean, maxBytes: number): Map<string, Buffer> {
  const found = new Map<string, Uint8Array[]>();
  const open = new Set<string>();
  let count = 0;
  let left = maxBytes;
  const archive = new Unzip((part) => {
    count += 1;
    if (count > maxEntries) throw new BadArchive('too many parts');
    if (!fits(part.name)) return;
    const pieces: Uint8Array[] = [];
    found.set(part.name, pieces);
    open.add(part.name);
    part.ondata = (error, piece, last) => {
      if (error) throw error;
      left -= piece.length;
      if (left < 0) throw new BadArchive('too large');
      pieces.push(piece);
      if (last) open.delete(part.name);
    };
    part.start();
  });
  archive.register(UnzipInflate);
  try {
    for (let at = 0; at < file.length; at += slice)
      archive.push(file.subarray(at, at + slice), at + slice >= file.length);
  } catch (error) {
    if (error instanceof BadArchive) throw error;
    throw new BadArchive('broken archive', { cause: error });
  }
  if (count === 0 || open.size > 0) throw new BadArchive('no archive, or the end of it is missing');
  return new Map([...found].map(([name, pieces]) => [name, Buffer.concat(pieces)]));
}
