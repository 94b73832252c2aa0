import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest, project } from './plane.ts';
import { addressOf, maxTiles, placeOf, tilesIn } from './tiles.ts';

const lat = fc.double({ min: -84, max: 84, noNaN: true });
const lng = fc.double({ min: -179, max: 179, noNaN: true });
const zoom = fc.oneof(fc.integer({ min: 0, max: nearest }), fc.double({ min: 0, max: nearest, noNaN: true }));
const view = fc.record({ lat, lng, zoom });
const size = fc.record({ width: fc.integer({ min: 1, max: 16_000 }), height: fc.integer({ min: 1, max: 9000 }) });
const share = fc.double({ min: 0, max: 1, noNaN: true });

const cornerOf = (from: { lat: number; lng: number; zoom: number }, box: { width: number; height: number }) => {
  const middle = project(from, from.zoom);
  return { x: middle.x - box.width / 2, y: middle.y - box.height / 2 };
};

test('the tile of a place has its standard number, and is drawn at the place', () => {
  fc.assert(
    fc.property(view, size, (from, box) => {
      const tiles = tilesIn(from, box);
      const [{ z }] = tiles as [(typeof tiles)[number]];
      // the usual tile formula, independent of plane.ts
      const radians = (from.lat * Math.PI) / 180;
      const column = ((from.lng + 180) / 360) * 2 ** z;
      const row = ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * 2 ** z;
      const tile = tiles.find(({ x, y }) => x === Math.floor(column) && y === Math.floor(row));
      expect(tile).toBeDefined();
      const { left, top, width, height } = placeOf(tile!, cornerOf(from, box), from.zoom);
      expect(Math.abs(left + (column % 1) * width - box.width / 2)).toBeLessThanOrEqual(1);
      expect(Math.abs(top + (row % 1) * height - box.height / 2)).toBeLessThanOrEqual(1);
    }),
  );
});

test('tiles cover what is seen of the world, each place once, and lie nowhere else', () => {
  fc.assert(
    fc.property(view, size, share, share, (from, box, across, down) => {
      const corner = cornerOf(from, box);
      const places = tilesIn(from, box).map((tile) => placeOf(tile, corner, from.zoom));
      for (const { left, top, width, height } of places) {
        expect(left).toBeLessThanOrEqual(box.width + 1);
        expect(left + width).toBeGreaterThanOrEqual(-1);
        expect(top).toBeLessThanOrEqual(box.height + 1);
        expect(top + height).toBeGreaterThanOrEqual(-1);
      }
      const at = { x: Math.floor(across * (box.width - 1)) + 0.5, y: Math.floor(down * (box.height - 1)) + 0.5 };
      const world = 256 * 2 ** from.zoom;
      const inside = (edge: number) => edge > 1 && edge < world - 1;
      const outside = (edge: number) => edge < -1 || edge > world + 1;
      const [x, y] = [corner.x + at.x, corner.y + at.y];
      const there = places.filter(
        ({ left, top, width, height }) => at.x > left && at.x < left + width && at.y > top && at.y < top + height,
      );
      if (inside(x) && inside(y)) expect(there).toHaveLength(1);
      if (outside(x) || outside(y)) expect(there).toHaveLength(0);
    }),
  );
});

test('no view asks for more tiles than the bound, and an ordinary one has them at about their own size', () => {
  fc.assert(
    fc.property(view, size, (from, box) => {
      const tiles = tilesIn(from, box);
      expect(tiles.length).toBeLessThanOrEqual(maxTiles);
      for (const { z, x, y } of tiles) {
        expect(z).toBeGreaterThanOrEqual(0);
        expect(z).toBeLessThanOrEqual(nearest);
        for (const number of [x, y]) expect(number >= 0 && number < 2 ** z).toBe(true);
      }
      if (box.width > 2560 || box.height > 860) return;
      for (const { z } of tiles) expect(Math.abs(z - from.zoom)).toBeLessThanOrEqual(0.5);
    }),
  );
});

test('fills the numbers into an address; a hidden map needs no tile', () => {
  expect(addressOf('/tiles?z={z}&row={y}&col={x}', { z: 3, x: 6, y: 2 })).toBe('/tiles?z=3&row=2&col=6');
  expect(tilesIn({ lat: 0, lng: 0, zoom: 0 }, { width: 800, height: 600 })).toEqual([{ z: 0, x: 0, y: 0 }]);
  expect(tilesIn({ lat: 0, lng: 0, zoom: 4 }, { width: 0, height: 0 })).toEqual([]);
});
