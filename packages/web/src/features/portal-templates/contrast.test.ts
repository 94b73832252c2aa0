import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textOn } from './contrast.ts';

it('chooses black or white by contrast', () => {
  expect(textOn('#ffffff')).toEqual({ text: '#000000', ratio: 21 });
  expect(textOn('#000000')).toEqual({ text: '#ffffff', ratio: 21 });
  expect(textOn('#1264d8').text).toBe('#ffffff');
});

it('is readable on every colour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
      expect(textOn(`#${value.toString(16).padStart(6, '0')}`).ratio).toBeGreaterThanOrEqual(4.5);
    }),
  );
});
