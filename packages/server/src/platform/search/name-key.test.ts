import { expect, it } from 'vitest';
import { nameKey } from './name-key.ts';

it.each([
  ['Shop 17', 'ＳＨＯＰ　１７'],
  ['Shop 17', ' shop  17 '],
  ['三楼A区', '三楼ａ区'],
  ['カフェ', 'ｶﾌｪ'],
  ['Café', 'CAFE\u0301'],
  ['Shop (2)', 'shop （２）'],
])('reads %j and %j as one name', (a, b) => {
  expect(nameKey(b)).toBe(nameKey(a));
});

it.each([
  ['Shop 1', 'Shop 11'],
  ['Shop-1', 'Shop 1'],
  ['一楼', '二楼'],
])('tells %j from %j', (a, b) => {
  expect(nameKey(b)).not.toBe(nameKey(a));
});
