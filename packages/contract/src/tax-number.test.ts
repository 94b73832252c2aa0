import { expect, it } from 'vitest';
import { isTaxNumber, typedTaxNumber } from './tax-number.ts';

it.each(['91350100M000100Y43', '9144030071526726XG', '91330100799655058B', '914403001922038216'])(
  'accepts the unified social credit code %s',
  (code) => expect(isTaxNumber(code)).toBe(true),
);

it('refuses every other check character, and letters that the code does not use', () => {
  const others = [...'0123456789ABCDEFGHJKLMNPQRTUWXY'].filter((last) => last !== '3');
  expect(others.filter((last) => isTaxNumber(`91350100M000100Y4${last}`))).toEqual([]);
  expect(['91350100I000100Y43', '91350100m000100y43'].filter(isTaxNumber)).toEqual([]);
});

it('takes older numbers of 15, 17 and 20 characters by their form', () => {
  const ofLength = (length: number) => '11010119800307123X12'.slice(0, length);
  expect([14, 15, 16, 17, 19, 20].filter((length) => isTaxNumber(ofLength(length)))).toEqual([15, 17, 20]);
});

it('reads numbers as they are typed', () => {
  expect(typedTaxNumber(' 91350100 m000-100y43 ')).toBe('91350100M000100Y43');
});
