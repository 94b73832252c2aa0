import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outline, readLand } from './land.ts';
import { project } from './plane.ts';

const { land, lakes } = readLand(readFileSync(join(import.meta.dirname, 'land.bin')));
const size = { width: 800, height: 500 };
const windowAt = (lat: number, lng: number, zoom: number) => {
  const middle = project({ lat, lng }, zoom);
  return { corner: { x: middle.x - size.width / 2, y: middle.y - size.height / 2 }, size, zoom };
};

/** Even-odd, as the page fills it. */
function covers(path: string, x: number, y: number): boolean {
  let isIn = false;
  for (const ring of path.split('z').filter(Boolean)) {
    const points = ring
      .slice(1)
      .split('L')
      .map((pair) => pair.split(' ').map(Number) as [number, number]);
    points.forEach(([ax, ay], at) => {
      const [bx, by] = points[(at + 1) % points.length]!;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
    });
  }
  return isIn;
}
const isLand = (lat: number, lng: number, zoom = 5) => {
  const shown = windowAt(lat, lng, zoom);
  const [x, y] = [size.width / 2, size.height / 2];
  return covers(outline(land, shown), x, y) && !covers(outline(lakes, shown), x, y);
};

test('cities are on land, at every zoom', () => {
  const cities = { Hangzhou: [30.28, 120.1], Madrid: [40.42, -3.7], Nairobi: [-1.29, 36.82], Denver: [39.74, -104.99] };
  for (const [name, [lat, lng]] of Object.entries(cities))
    for (const zoom of [1, 5, 9, 14, 18]) expect(isLand(lat!, lng!, zoom), `${name} ${zoom}`).toBe(true);
});

test('seas and large lakes are water', () => {
  const waters = {
    Pacific: [0, -150],
    'East China Sea': [29, 125],
    Baikal: [53.5, 108.2],
    Superior: [47.7, -87.5],
    Huron: [44.6, -82.4],
    Michigan: [43.5, -87],
    Caspian: [41.5, 51],
  };
  for (const [name, [lat, lng]] of Object.entries(waters)) expect(isLand(lat!, lng!), name).toBe(false);
});

test('a city far from a coast draws one filled square, not a continent', () => {
  const path = outline(land, windowAt(34.34, 108.94, 14));
  expect(path.length).toBeLessThan(120);
  expect(covers(path, 1, 1) && covers(path, size.width - 1, size.height - 1)).toBe(true);
  expect(outline(land, windowAt(0, -150, 10))).toBe('');
});

const isNear = (at: number, length: number) => at >= -8.1 && at <= length + 8.1;

test('nothing is drawn far outside of what is seen, and no wrong number', () => {
  const lat = fc.double({ min: -84, max: 84, noNaN: true });
  const lng = fc.double({ min: -180, max: 180, noNaN: true });
  fc.assert(
    fc.property(lat, lng, fc.integer({ min: 3, max: 18 }), (y, x, zoom) => {
      for (const rings of [land, lakes])
        for (const [, across, down] of outline(rings, windowAt(y, x, zoom)).matchAll(/[ML](\S+) (\S+?)(?=[LMz])/g)) {
          if (!isNear(Number(across), size.width) || !isNear(Number(down), size.height)) return false;
        }
      return true;
    }),
    { numRuns: 60 },
  );
});

test('the file is small', () => {
  expect(land.length).toBeGreaterThan(1000);
  expect(readFileSync(join(import.meta.dirname, 'land.bin')).length).toBeLessThan(90_000);
});
