import { expect, test } from 'vitest';
import { around } from './pager.tsx';

test('pages are left out only where that is shorter than naming them', () => {
  expect(around(1, 1)).toEqual([1]);
  expect(around(1, 4)).toEqual([1, 2, 3, 4]);
  expect(around(1, 5)).toEqual([1, 2, null, 5]);
  expect(around(5, 9)).toEqual([1, null, 4, 5, 6, null, 9]);
  expect(around(4, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
