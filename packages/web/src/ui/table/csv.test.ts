import { expect, test } from 'vitest';
import type { Column } from './columns.ts';
import { toCsv } from './csv.ts';
import { gatherAll } from './gather.ts';

const columns: Column<{ name: string; n: number }>[] = [
  { key: 'name', title: '名称', cell: (row) => row.name, text: (row) => row.name },
  { key: 'n', title: 'n', cell: (row) => row.n, text: (row) => row.n },
  { key: 'acts', title: 'acts', cell: () => null },
];

test('quotes, commas and line breaks are kept inside their cell', () => {
  expect(toCsv(columns, [{ name: 'a,"b"\nc', n: -1 }])).toBe('\ufeff名称,n\r\n"a,""b""\nc",-1\r\n');
});

test.each(['=1+1', '+1', '-1', '@x', '\tx'])('a name like a formula stays text: %j', (name) => {
  expect(toCsv(columns, [{ name, n: 1 }])).toContain(`'${name}`);
});

test('a number of an order keeps all digits in a spreadsheet', () => {
  expect(toCsv(columns, [{ name: '261128453459973824', n: 1 }])).toContain('\r\n261128453459973824\t,1');
});

test('every page is read, and a row that moved is kept once', async () => {
  const pages = [Array.from({ length: 200 }, (_, i) => ({ id: `r${i}` })), [{ id: 'r199' }, { id: 'r200' }]];
  const rows = await gatherAll(
    async (page) => ({ list: pages[page - 1] ?? [], total: 202 }),
    (row) => row.id,
  );
  expect(rows).toHaveLength(201);
});
