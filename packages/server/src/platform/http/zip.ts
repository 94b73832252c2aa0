import { strToU8, Zip, ZipDeflate } from 'fflate';

export interface ZipEntry {
  name: string;
  content: string | AsyncIterable<string>;
}

/** Equal rows give equal bytes. */
const firstDay = new Date(1980, 0, 1);

/** Streams with constant memory. */
export async function* zip(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const archive = new Zip((error, piece) => {
    if (error) throw error;
    ready.push(piece);
  });
  for (const { name, content } of entries) {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = firstDay;
    archive.add(file);
    for await (const text of typeof content === 'string' ? [content] : content) {
      file.push(strToU8(text));
      yield* ready.splice(0);
    }
    file.push(new Uint8Array(0), true);
    yield* ready.splice(0);
  }
  archive.end();
  yield* ready;
}
