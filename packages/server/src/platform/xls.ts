/** Reads xls files of Excel 97 and later: BIFF8 records ([MS-XLS]) in a compound file ([MS-CFB]). */

export class BadWorkbook extends Error {}

const signature = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
/** Sector numbers from here on mark ends and free sectors. */
const firstMark = 0xfffffffa;
const directoryEntry = 128;

export const isXls = (file: Buffer): boolean => file.subarray(0, 8).equals(signature);

const bad = (why: string): never => {
  throw new BadWorkbook(why);
};

/**
 * Returns the texts of the first worksheet, with empty texts for missing cells.
 * @throws BadWorkbook, or RangeError for offsets outside the file
 */
export function readXls(file: Buffer, farthest: { line: number; column: number }): string[][] {
  const stream = workbookStream(file);
  let strings: string[] = [];
  let sheetAt: number | null = null;
  const dateFormats = new Set(builtInDates);
  const isDateStyle: boolean[] = [];
  let epochDays = 25_569;
  for (const { type, parts } of records(stream, 0)) {
    const [body] = parts as [Buffer];
    if (type === record.filePass) bad('encrypted');
    if (type === record.bof && body.readUInt16LE(0) !== 0x0600) bad('older than Excel 97');
    if (type === record.sst) strings = readStrings(parts);
    if (type === record.dateMode && body.readUInt16LE(0) === 1) epochDays -= 1462;
    if (type === record.format && isDatePattern(new StringReader([body.subarray(2)]).text()))
      dateFormats.add(body.readUInt16LE(0));
    if (type === record.style) isDateStyle.push(dateFormats.has(body.readUInt16LE(2)));
    if (type === record.boundSheet && sheetAt === null && body[5] === 0) sheetAt = body.readUInt32LE(0);
  }
  if (sheetAt === null) return bad('no worksheet');
  const rows: string[][] = [];
  const put = (line: number, column: number, text: string) => {
    if (line >= farthest.line || column >= farthest.column) bad('cells far out');
    while (rows.length <= line) rows.push([]);
    const row = rows[line]!;
    while (row.length <= column) row.push('');
    row[column] = text.trim();
  };
  const numberText = (value: number, style: number): string => {
    const at = new Date((value - epochDays) * 86_400_000);
    return isDateStyle[style] && !Number.isNaN(at.getTime()) ? at.toISOString().slice(0, 10) : String(value);
  };
  let pending: { line: number; column: number } | null = null;
  for (const { type, parts } of records(stream, sheetAt)) {
    const [body] = parts as [Buffer];
    if (type === record.string && pending) put(pending.line, pending.column, new StringReader(parts).text());
    if (type === record.string || !cellRecords.has(type)) continue;
    const [line, column] = [body.readUInt16LE(0), body.readUInt16LE(2)];
    pending = null;
    if (type === record.labelSst) put(line, column, strings[body.readUInt32LE(6)] ?? '');
    else if (type === record.label || type === record.richString)
      put(line, column, new StringReader([body.subarray(6)]).text());
    else if (type === record.number) put(line, column, numberText(body.readDoubleLE(6), body.readUInt16LE(4)));
    else if (type === record.rk) put(line, column, numberText(rkNumber(body.readUInt32LE(6)), body.readUInt16LE(4)));
    else if (type === record.formula && body.readUInt16LE(12) === 0xffff) pending = { line, column };
    else if (type === record.formula) put(line, column, numberText(body.readDoubleLE(6), body.readUInt16LE(4)));
    else if (type === record.mulRk)
      for (let at = 4; at + 6 <= body.length - 2; at += 6)
        put(line, column + (at - 4) / 6, numberText(rkNumber(body.readUInt32LE(at + 2)), body.readUInt16LE(at)));
  }
  const wide = Math.max(0, ...rows.map((row) => row.length));
  return rows.map((row) => [...row, ...Array<string>(wide - row.length).fill('')]);
}

const record = {
  bof: 0x0809,
  eof: 0x000a,
  filePass: 0x002f,
  boundSheet: 0x0085,
  sst: 0x00fc,
  continue: 0x003c,
  labelSst: 0x00fd,
  label: 0x0204,
  richString: 0x00d6,
  number: 0x0203,
  rk: 0x027e,
  mulRk: 0x00bd,
  formula: 0x0006,
  string: 0x0207,
  dateMode: 0x0022,
  format: 0x041e,
  style: 0x00e0,
} as const;
const cellRecords: ReadonlySet<number> = new Set([
  record.labelSst,
  record.label,
  record.richString,
  record.number,
  record.rk,
  record.mulRk,
  record.formula,
]);

/** Formats without a record, East Asian ones too. */
const builtInDates = [14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58];

const isDatePattern = (pattern: string): boolean => /[dy]/i.test(pattern.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, ''));

interface BiffRecord {
  type: number;
  /** Its body, and those of its Continue records. */
  parts: Buffer[];
}

/** Yields the records of a substream; skips substreams inside it, such as charts. */
function* records(stream: Buffer, from: number): Generator<BiffRecord> {
  let [at, depth] = [from, 0];
  while (at + 4 <= stream.length) {
    const read = () => {
      const end = at + 4 + stream.readUInt16LE(at + 2);
      if (end > stream.length) bad('cut off');
      const body = stream.subarray(at + 4, end);
      at = end;
      return body;
    };
    const type = stream.readUInt16LE(at);
    const parts = [read()];
    while (at + 4 <= stream.length && stream.readUInt16LE(at) === record.continue) parts.push(read());
    if (type === record.bof) depth += 1;
    if (type === record.eof) depth -= 1;
    if (depth <= 0) return;
    if (depth === 1) yield { type, parts };
  }
}

/** Decodes an RK value ([MS-XLS] 2.5.217): 30 bits of an integer or a double, perhaps divided by 100. */
function rkNumber(rk: number): number {
  const double = Buffer.alloc(8);
  double.writeUInt32LE((rk & 0xfffffffc) >>> 0, 4);
  const value = (rk & 2) === 0 ? double.readDoubleLE(0) : rk >> 2;
  return (rk & 1) === 0 ? value : value / 100;
}

function readStrings(parts: Buffer[]): string[] {
  const reader = new StringReader(parts, 8);
  const strings: string[] = [];
  const count = parts[0]!.readUInt32LE(4);
  while (strings.length < count && !reader.atEnd) strings.push(reader.text());
  return strings;
}

/** Reads Unicode strings ([MS-XLS] 2.5.293, 2.5.294), whose characters may continue in the next part. */
class StringReader {
  readonly #parts: readonly Buffer[];
  #index = 0;
  #at: number;

  constructor(parts: readonly Buffer[], at = 0) {
    this.#parts = parts;
    this.#at = at;
  }

  get atEnd(): boolean {
    return this.#left() === 0 && this.#index >= this.#parts.length - 1;
  }

  text(): string {
    if (this.#left() === 0) this.#next();
    const count = this.#part.readUInt16LE(this.#at);
    const flags = this.#part.readUInt8(this.#at + 2);
    this.#at += 3;
    let extra = 0;
    if ((flags & 8) !== 0) {
      extra += 4 * this.#part.readUInt16LE(this.#at);
      this.#at += 2;
    }
    if ((flags & 4) !== 0) {
      extra += this.#part.readUInt32LE(this.#at);
      this.#at += 4;
    }
    const text = this.#characters(count, (flags & 1) !== 0);
    this.#skip(extra);
    return text;
  }

  /** Each part after the first says anew whether characters have one or two bytes. */
  #characters(count: number, isWide: boolean): string {
    let [text, wide] = ['', isWide];
    while (text.length < count) {
      if (this.#left() === 0) {
        this.#next();
        wide = (this.#part.readUInt8(0) & 1) !== 0;
        this.#at = 1;
      }
      const size = wide ? 2 : 1;
      const taken = Math.min(count - text.length, Math.floor(this.#left() / size));
      if (taken === 0) bad('cut off');
      const bytes = this.#part.subarray(this.#at, this.#at + taken * size);
      text += bytes.toString(wide ? 'utf16le' : 'latin1');
      this.#at += taken * size;
    }
    return text;
  }

  #skip(count: number): void {
    let left = count;
    while (left > this.#left()) {
      left -= this.#left();
      this.#next();
    }
    this.#at += left;
  }

  get #part(): Buffer {
    return this.#parts[this.#index]!;
  }

  #left(): number {
    return this.#part.length - this.#at;
  }

  #next(): void {
    if (this.#index >= this.#parts.length - 1) bad('cut off');
    this.#index += 1;
    this.#at = 0;
  }
}

function workbookStream(file: Buffer): Buffer {
  const [shift, miniShift] = [file.readUInt16LE(30), file.readUInt16LE(32)];
  if ((shift !== 9 && shift !== 12) || miniShift !== 6) bad('sector sizes');
  const size = 2 ** shift;
  // the last sector may be cut short
  const max = Math.ceil(file.length / size);
  const sector = (number: number) => {
    if (number >= max) bad('sector outside the file');
    return file.subarray((number + 1) * size, (number + 2) * size);
  };
  /** Follows a chain of sectors; one that is longer than the file is a loop. */
  const chain = (first: number, next: (sector: number) => number, limit: number): number[] => {
    const found: number[] = [];
    for (let at = first; at < firstMark; at = next(at)) {
      if (found.length >= limit) bad('loop of sectors');
      found.push(at);
    }
    return found;
  };
  const numbersIn = (part: Buffer) =>
    Array.from({ length: Math.floor(part.length / 4) }, (_, index) => part.readUInt32LE(index * 4));
  const tables = numbersIn(file.subarray(76, 512));
  const further = chain(file.readUInt32LE(68), (at) => sector(at).readUInt32LE(size - 4), max);
  for (const at of further) tables.push(...numbersIn(sector(at)).slice(0, -1));
  const fat = tables
    .filter((at) => at < firstMark)
    .slice(0, max)
    .flatMap((at) => numbersIn(sector(at)));
  const read = (first: number) => Buffer.concat(chain(first, (at) => fat[at] ?? firstMark, max).map(sector));
  const directory = read(file.readUInt32LE(48));
  let [root, workbook]: (Buffer | null)[] = [null, null];
  for (let at = 0; at + directoryEntry <= directory.length; at += directoryEntry) {
    const entry = directory.subarray(at, at + directoryEntry);
    const name = entry.toString('utf16le', 0, Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2));
    if (entry[66] === 5) root = entry;
    if (entry[66] === 2 && name.toLowerCase() === 'workbook') workbook = entry;
  }
  if (!root || !workbook) return bad('no workbook');
  const [first, length] = [workbook.readUInt32LE(116), workbook.readUInt32LE(120)];
  if (length >= file.readUInt32LE(56)) return read(first).subarray(0, length);
  const miniFat = numbersIn(read(file.readUInt32LE(60)));
  const small = read(root.readUInt32LE(116));
  const sectors = chain(first, (at) => miniFat[at] ?? firstMark, miniFat.length);
  return Buffer.concat(sectors.map((at) => small.subarray(at * 64, (at + 1) * 64))).subarray(0, length);
}
