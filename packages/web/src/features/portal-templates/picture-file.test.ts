import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boxOf } from './picture-file.ts';

const middle = { zoom: 100, left: 50, top: 50 };

it('keeps the proportions of the slot', () => {
  expect(boxOf({ width: 2000, height: 1000 }, 'carousel', middle)).toMatchObject({ height: 1000, y: 0 });
  expect(boxOf({ width: 1000, height: 1000 }, 'carousel', middle)).toEqual({
    width: 1000,
    height: 562.5,
    x: 0,
    y: 218.75,
  });
});

it('keeps all of a logo', () => {
  expect(boxOf({ width: 900, height: 100 }, 'logo', middle)).toEqual({ width: 900, height: 100, x: 0, y: 0 });
});

it('stays within the picture', () => {
  const side = fc.integer({ min: 1, max: 8000 });
  const percent = fc.integer({ min: 0, max: 100 });
  const slot = fc.constantFrom('logo', 'background', 'carousel', 'countdown');
  fc.assert(
    fc.property(side, side, slot, fc.integer({ min: 100, max: 400 }), percent, percent, (...drawn) => {
      const [width, height, of, zoom, left, top] = drawn;
      const box = boxOf({ width, height }, of, { zoom, left, top });
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width + 1e-6);
      expect(box.y + box.height).toBeLessThanOrEqual(height + 1e-6);
    }),
  );
});
