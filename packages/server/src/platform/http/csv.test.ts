import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['+86 139', "'+86 139"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\r=1', `"'\r=1"`],
  ['a=1', 'a=1'],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ['a,b', '"a,b"'],
  ['two\nlines', '"two\nlines"'],
  ['', ''],
])('writes %j as text', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`);
});

it('leaves numbers and truth values as they are, and nothing empty', () => {
  expect(csvLine([-1, true, null, 2.5])).toBe('-1,true,,2.5\r\n');
});
