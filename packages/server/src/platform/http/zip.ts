import { once } from 'node:events';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';

/** A file of an archive: its text at once, or piece by piece. */
export interface ZipEntry {
  name: string;
  content: string | AsyncIterable<string>;
}

interface Written {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  at: number;
}

/** Sizes and checksum come after the data, since nobody knows them before; names are UTF-8 (APPNOTE 6.3.10, 4.4.4). */
const flags = 0x0808;
const version = 20;
const deflated = 8;
/** The beginning of the format's time, 1980-01-01: the same rows are the same bytes. */
const date = 0x21;
/** No size of ours reaches what the format's first form takes. */
const most = 0xffffffff;

/** A ZIP archive (PKWARE APPNOTE 6.3.10), written as it is read: nothing of it is held in memory but a piece. */
export async function* zip(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let at = 0;
  for (const { name: text, content } of entries) {
    const name = Buffer.from(text);
    const entry: Written = { name, crc: 0, packed: 0, size: 0, at };
    const head = header(0x04034b50, [[version, 2], ...attributes(entry), [name.length, 2], [0, 2]]);
    yield Buffer.concat([head, name]);
    for await (const piece of packed(content, entry)) {
      entry.packed += piece.length;
      yield piece;
    }
    if (entry.size > most || entry.packed > most) throw new Error(`${text} is too large for the archive`);
    yield header(0x08074b50, [
      [entry.crc, 4],
      [entry.packed, 4],
      [entry.size, 4],
    ]);
    written.push(entry);
    at += head.length + name.length + entry.packed + 16;
  }
  let length = 0;
  for (const entry of written) {
    const line = Buffer.concat([
      header(0x02014b50, [
        ...([[version, 2], [version, 2], ...attributes(entry)] as const),
        ...([
          [entry.name.length, 2],
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 4],
          [entry.at, 4],
        ] as const),
      ]),
      entry.name,
    ]);
    length += line.length;
    yield line;
  }
  const count = written.length;
  yield header(0x06054b50, [
    ...([
      [0, 2],
      [0, 2],
      [count, 2],
      [count, 2],
      [length, 4],
      [at, 4],
      [0, 2],
    ] as const),
  ]);
}

type Field = readonly [value: number, bytes: 2 | 4];

const attributes = ({ crc, packed: size, size: whole }: Written): Field[] => [
  ...([
    [flags, 2],
    [deflated, 2],
    [0, 2],
    [date, 2],
  ] as const),
  ...([
    [crc, 4],
    [size, 4],
    [whole, 4],
  ] as const),
];

function header(signature: number, fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(4 + fields.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = buffer.writeUInt32LE(signature);
  for (const [value, bytes] of fields) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}

/** Deflates a content, and notes its checksum and size. */
async function* packed(content: ZipEntry['content'], entry: Written): AsyncGenerator<Buffer> {
  const note = (text: string): Buffer => {
    const piece = Buffer.from(text);
    entry.crc = crc32(piece, entry.crc);
    entry.size += piece.length;
    return piece;
  };
  if (typeof content === 'string') {
    yield deflateRawSync(note(content));
    return;
  }
  const deflate = createDeflateRaw({ level: 6 });
  const fed = (async () => {
    try {
      for await (const text of content) if (!deflate.write(note(text))) await once(deflate, 'drain');
      deflate.end();
    } catch (error) {
      deflate.destroy(error as Error);
    }
  })();
  try {
    for await (const piece of deflate) yield piece as Buffer;
    await fed;
  } finally {
    deflate.destroy();
  }
}
