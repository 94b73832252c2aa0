import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadWorkbook, readXls } from './xls.ts';

const farthest = { line: 10_000, column: 100 };
const real = readFileSync(new URL('../../test/fixtures/peripherals.xls', import.meta.url));

const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const u32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
const record = (type: number, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u16(type, body.length), body]);
};
const begin = (type: number, version = 0x0600) => record(0x0809, u16(version, type), Buffer.alloc(12));
const end = record(0x000a);

/** Packs a compound file: a FAT sector, a directory sector, and the stream in sectors of 512 bytes. */
function compoundFile(stream: Buffer): Buffer {
  const size = Math.max(4096, Math.ceil(stream.length / 512) * 512);
  const sectors = size / 512;
  const head = Buffer.alloc(512);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(head);
  u16(0x3e, 3, 0xfffe, 9, 6).copy(head, 24);
  u32(1, 1, 0, 4096, 0xfffffffe, 0, 0xfffffffe, 0, 0).copy(head, 44);
  head.fill(0xff, 80);
  const chain = Array.from({ length: sectors }, (_, at) => (at === sectors - 1 ? 0xfffffffe : at + 3));
  const fat = Buffer.alloc(512, 0xff);
  u32(0xfffffffd, 0xfffffffe, ...chain).copy(fat);
  const directory = Buffer.alloc(512);
  for (const [at, name, kind, first, length] of [
    [0, 'Root Entry', 5, 0xfffffffe, 0],
    [128, 'Workbook', 2, 2, size],
  ] as const) {
    directory.write(name, at, 'utf16le');
    u16((name.length + 1) * 2).copy(directory, at + 64);
    directory[at + 66] = kind;
    u32(first, length).copy(directory, at + 116);
  }
  return Buffer.concat([head, fat, directory, stream, Buffer.alloc(size - stream.length)]);
}

function workbook(globals: Buffer[], cells: Buffer[], version?: number): Buffer {
  const sheetName = Buffer.concat([Buffer.from([0, 0, 1, 0]), Buffer.from('S')]);
  const before = [begin(5, version), ...globals];
  const at = before.reduce((sum, { length }) => sum + length, 0) + 4 + 4 + sheetName.length + end.length;
  return compoundFile(Buffer.concat([...before, record(0x85, u32(at), sheetName), end, begin(0x10), ...cells, end]));
}

describe('an xls file', () => {
  it('of another program is read', () => {
    const rows = readXls(real, farthest);
    expect(rows).toHaveLength(101);
    expect(rows[1]!.slice(0, 8)).toEqual([
      '摄像头-001',
      '摄像头',
      '',
      '192.168.1.2',
      '00:1B:21:00:00:01',
      'TCP',
      '554',
      '80',
    ]);
  });

  it('may continue a text in the next record, there with another width', () => {
    const start = Buffer.concat([u32(1, 1), u16(5), Buffer.from([0]), Buffer.from('abc')]);
    const rest = Buffer.concat([Buffer.from([1]), Buffer.from('门口', 'utf16le')]);
    const globals = [record(0x00fc, start), record(0x003c, rest)];
    const file = workbook(globals, [record(0x00fd, u16(0, 1, 0), u32(0))]);
    expect(readXls(file, farthest)).toEqual([['', 'abc门口']]);
  });

  it('writes a date as its day, like xlsx, and other numbers as they are', () => {
    const format = (id: number, pattern: string) =>
      record(0x041e, u16(id, pattern.length), Buffer.from([0]), Buffer.from(pattern, 'latin1'));
    const style = (id: number) => record(0x00e0, u16(0, id), Buffer.alloc(16));
    const whole = (column: number, at: number, value: number) =>
      record(0x027e, u16(0, column, at), u32(((value << 2) | 2) >>> 0));
    const globals = [format(164, 'yyyy\\-mm\\-dd'), format(165, '[Red]0.00 "days"'), ...[0, 14, 164, 165].map(style)];
    const cells = [46_387, 46_387, 46_387, 46_387].map((value, at) => whole(at, at, value));
    const file = workbook(globals, cells);
    expect(readXls(file, farthest)).toEqual([['46387', '2026-12-31', '2026-12-31', '46387']]);
    const since1904 = workbook([record(0x0022, u16(1)), ...globals], [whole(0, 1, 46_387 - 1462)]);
    expect(readXls(since1904, farthest)).toEqual([['2026-12-31']]);
  });

  it('holds numbers in four forms, and texts that formulas gave', () => {
    const double = Buffer.alloc(8);
    double.writeDoubleLE(8080.5);
    const formula = record(0x06, u16(1, 0, 0), Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]), Buffer.alloc(6));
    const file = workbook(
      [],
      [
        record(0x0203, u16(0, 0, 0), double),
        record(0x027e, u16(0, 1, 0), u32((554 << 2) | 2)),
        record(0x00bd, u16(0, 2), u16(0), u32((1234 << 2) | 3), u16(0), u32((80 << 2) | 2), u16(3)),
        formula,
        record(0x0207, u16(2), Buffer.from([0]), Buffer.from('up')),
      ],
    );
    expect(readXls(file, farthest)).toEqual([
      ['8080.5', '554', '12.34', '80'],
      ['up', '', '', ''],
    ]);
  });

  it('is refused with a password, of an older version, or with cells far out', () => {
    expect(() => readXls(workbook([record(0x2f, u16(1))], []), farthest)).toThrow('encrypted');
    expect(() => readXls(workbook([], [], 0x0500), farthest)).toThrow('older');
    const far = workbook([], [record(0x027e, u16(60_000, 0, 0), u32(2))]);
    expect(() => readXls(far, farthest)).toThrow('far out');
  });

  it('that is damaged gives rows or a refusal, and always an end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(real.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 8, max: real.length }),
        (changes, length) => {
          const file = Buffer.from(real.subarray(0, length));
          for (const [at, value] of changes) if (at < length) file[at] = value;
          try {
            readXls(file, farthest);
          } catch (error) {
            expect(error instanceof BadWorkbook || error instanceof RangeError).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
