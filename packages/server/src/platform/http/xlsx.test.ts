import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import readXlsx from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { runs } from '../../../../../tools/property-runs.ts';
import { readZipParts } from '../../../../../tools/zip-parts.ts';
import { type XlsxCell, xlsx } from './xlsx.ts';

const written = (heads: readonly string[], rows: readonly (readonly XlsxCell[])[]) =>
  buffer(
    Readable.from(
      xlsx(
        heads,
        (async function* () {
          yield rows;
        })(),
      ),
    ),
  );

const sheetOf = async (file: Buffer) => {
  const read: unknown = await readXlsx(file);
  const [first] = read as [{ data?: unknown[][] }];
  return first?.data ?? (read as unknown[][]);
};

test('a spreadsheet reads back what was written: texts, numbers, truth and times, and gaps where nothing is', async () => {
  const file = await written(
    ['Name', '数量', 'Online', 'Seen', 'Note'],
    [
      ['=1+1', 3.5, true, { wallClockMs: Date.UTC(2026, 10, 22, 9, 30, 15) }, null],
      ['<b>&"\' 门店', -1, false, null, 'last'],
    ],
  );
  expect(await sheetOf(file)).toEqual([
    ['Name', '数量', 'Online', 'Seen', 'Note'],
    ['=1+1', 3.5, true, new Date('2026-11-22T09:30:15Z'), null],
    ['<b>&"\' 门店', -1, false, null, 'last'],
  ]);
});

test('an archive of it is whole: every part with its checksum and size', async () => {
  const rows = Array.from({ length: 5000 }, (_, n) => [`row ${n}`, n]);
  const parts = readZipParts(await written(['a', 'b'], rows));
  expect(parts.get('xl/worksheets/sheet1.xml')).toContain('row 4999');
});

test('whatever a device calls itself stays a text, and the file is well-formed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { minLength: 1, maxLength: 4 }),
      async (texts) => {
        const rows = await sheetOf(await written(['h', 'h', 'h', 'h'], [[...texts, 'end']]));
        const [, row] = rows as [unknown, unknown[]];
        expect(row.includes('end')).toBe(true);
        for (const one of row) expect(['string', 'object']).toContain(typeof one);
      },
    ),
    runs(20, 60),
  );
});

test('the same rows are the same bytes', async () => {
  const rows = [['a', 1]];
  expect(await written(['x', 'y'], rows)).toEqual(await written(['x', 'y'], rows));
});
