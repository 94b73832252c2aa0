import { sheetBegin, sheetEnd, sheetLine, sheetPart, workbookParts } from '@yunxun/contract/workbook';
import type { Column } from './columns.ts';

/** What a browser is told the file is. */
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Rows as an xlsx workbook; a text is a text in it, whatever it begins with. */
export function toXlsx<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<Blob> {
  const exported = columns.filter((column) => column.text);
  const lines = rows.map((row, index) =>
    sheetLine(
      exported.map((column) => column.text?.(row) ?? null),
      index + 2,
    ),
  );
  const sheet = sheetBegin(exported.map(({ title }) => title)) + lines.join('') + sheetEnd;
  return zipped([...workbookParts, { name: sheetPart, content: sheet }]);
}

/** A ZIP archive of texts (PKWARE APPNOTE 6.3.10), deflated by the browser. */
async function zipped(entries: readonly { name: string; content: string }[]): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const { name: text, content } of entries) {
    const name = new TextEncoder().encode(text);
    const raw = new TextEncoder().encode(content);
    const packed = await deflated(raw);
    // version, UTF-8 names, deflated, no time, the format's first day
    const about: Field[] = [
      ...([
        [20, 2],
        [0x0800, 2],
        [8, 2],
        [0, 2],
        [0x21, 2],
      ] as const),
      ...([
        [checksum(raw), 4],
        [packed.length, 4],
        [raw.length, 4],
        [name.length, 2],
        [0, 2],
      ] as const),
    ];
    const head = fields([[0x04034b50, 4], ...about]);
    pieces.push(head, name, packed);
    const beside = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [at, 4],
    ] as const;
    directory.push(fields([[0x02014b50, 4], [20, 2], ...about, ...beside]), name);
    at += head.length + name.length + packed.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const count = entries.length;
  const end = fields([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [length, 4],
    [at, 4],
    [0, 2],
  ]);
  return new Blob([...pieces, ...directory, end], { type: xlsxType });
}

type Field = readonly [value: number, bytes: 2 | 4];

function fields(list: readonly Field[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(list.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [value, bytes] of list) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

async function deflated(raw: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([raw]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

let table: Uint32Array | null = null;

/** CRC-32 (ISO 3309), as the format wants it. */
function checksum(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
  });
  let crc = 0xffffffff;
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
