import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  byWorst,
  clustersOf,
  fit,
  gridStep,
  type MapPoint,
  nearest,
  project,
  readView,
  unproject,
  worstOf,
  writeView,
} from './plane.ts';

const lat = fc.double({ min: -84, max: 84, noNaN: true });
const lng = fc.double({ min: -179, max: 179, noNaN: true });
const zoom = fc.integer({ min: 0, max: nearest });
const points = fc.array(fc.record({ lat, lng, status: fc.constantFrom(...byWorst) }), { maxLength: 40 }).map((drafts) =>
  drafts.map(
    (draft, index): MapPoint => ({
      gwid: `n${String(index).padStart(3, '0')}`,
      remark: `N${index}`,
      tags: [],
      address: '',
      status_since: null,
      alarms: null,
      ap_num: 0,
      ap_online_num: 0,
      ...draft,
    }),
  ),
);

test('a place goes to the plane and back', () => {
  fc.assert(
    fc.property(lat, lng, zoom, (a, b, near) => {
      const back = unproject(project({ lat: a, lng: b }, near), near);
      expect(back.lat).toBeCloseTo(a, 6);
      expect(back.lng).toBeCloseTo(b, 6);
    }),
  );
});

test('every point is in one cluster, which has the worst status of its points, in whatever order they come', () => {
  fc.assert(
    fc.property(points, zoom, (some, near) => {
      const clusters = clustersOf(some, near);
      expect(clusters.flatMap((cluster) => cluster.points.map(({ gwid }) => gwid)).toSorted()).toEqual(
        some.map(({ gwid }) => gwid).toSorted(),
      );
      for (const cluster of clusters) expect(cluster.status).toBe(worstOf(cluster.points));
      const key = (list: typeof clusters) => list.map(({ id, x, y, status }) => [id, x, y, status]).toSorted();
      expect(key(clustersOf(some.toReversed(), near))).toEqual(key(clusters));
    }),
  );
});

test('points at both sides of a grid line are one cluster if their marks would cover each other', () => {
  // 2,240 is a line of the grid
  const at = (x: number, gwid: string) => ({ ...unproject({ x, y: 2260 }, 6), gwid, status: 'online' }) as MapPoint;
  expect(clustersOf([at(2230, 'a'), at(2250, 'b')], 6).map(({ points: own }) => own.length)).toEqual([2]);
  expect(clustersOf([at(2200, 'a'), at(2250, 'b')], 6)).toHaveLength(2);
});

test('a view that fits holds every point', () => {
  fc.assert(
    fc.property(
      points,
      fc.integer({ min: 300, max: 1600 }),
      fc.integer({ min: 300, max: 900 }),
      (some, width, height) => {
        const view = fit(some, width, height);
        const middle = project(view, view.zoom);
        // the whole world cannot be zoomed out further
        if (view.zoom === 0) return;
        for (const point of some) {
          const { x, y } = project(point, view.zoom);
          expect(Math.abs(x - middle.x)).toBeLessThanOrEqual(width / 2);
          expect(Math.abs(y - middle.y)).toBeLessThanOrEqual(height / 2);
        }
      },
    ),
  );
});

test('offline is worse than online, whatever is beside it; an address names a view or none', () => {
  expect(worstOf([{ status: 'online' }, { status: 'offline' }, { status: 'restarting' }])).toBe('offline');
  expect(readView(writeView({ lat: 30.2741, lng: 120.1551, zoom: 9 }))).toEqual({
    lat: 30.2741,
    lng: 120.1551,
    zoom: 9,
  });
  for (const odd of [undefined, '', '1,2', '1,2,3,4', 'a,b,c', '99,0,1']) expect(readView(odd)).toBeNull();
  expect(gridStep(0)).toBe(30);
  expect(gridStep(18)).toBeLessThan(0.01);
});
