import { expect, test } from 'vitest';
import { readZipParts } from '../../../../../tools/zip-parts.ts';
import type { Column } from './columns.ts';
import { toXlsx } from './xlsx.ts';

interface Row {
  name: string;
  users: number | null;
}
const columns: Column<Row>[] = [
  { key: 'name', title: '名称', cell: () => null, text: ({ name }) => name },
  { key: 'chip', title: 'Not exported', cell: () => null },
  { key: 'users', title: 'Users', cell: () => null, text: ({ users }) => users },
];

test('a list is a whole archive for other programs, and its texts are texts', async () => {
  const rows = [
    { name: '=1+1 <b>&', users: 3 },
    { name: '门店\u0007', users: null },
  ];
  const parts = readZipParts(Buffer.from(await toXlsx(columns, rows).arrayBuffer()));
  const text = parts.get('xl/worksheets/sheet1.xml');
  expect(text).toContain('<c r="A1" t="inlineStr" s="2"><is><t xml:space="preserve">名称</t></is></c>');
  expect(text).toContain(
    '<c r="A2" t="inlineStr"><is><t xml:space="preserve">=1+1 &lt;b&gt;&amp;</t></is></c><c r="B2"><v>3</v></c>',
  );
  expect(text).toContain('>门店</t></is></c></row>');
  expect(text).not.toContain('Not exported');
});
