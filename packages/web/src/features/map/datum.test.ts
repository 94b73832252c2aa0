import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toGcj02, viewOn } from './datum.ts';

test('places of China lie where maps in GCJ-02 have them', () => {
  // of the public implementations
  const known = [
    [31.1774276, 121.5272106, 31.17530398364597, 121.531541859215],
    [22.543847, 113.912316, 22.540796131694766, 113.9171764808363],
    [39.911954, 116.377817, 39.91334545536069, 116.38404722455657],
  ] as const;
  for (const [lat, lng, wantedLat, wantedLng] of known) {
    const moved = toGcj02({ lat, lng });
    expect(moved.lat).toBeCloseTo(wantedLat, 8);
    expect(moved.lng).toBeCloseTo(wantedLng, 8);
  }
});

test('elsewhere nothing moves', () => {
  const places = {
    Berlin: [52.52, 13.4],
    Seoul: [37.57, 126.98],
    Taipei: [25.03, 121.56],
    Tokyo: [35.68, 139.69],
    Hanoi: [21.03, 105.85],
    Vladivostok: [43.12, 131.89],
    Delhi: [28.61, 77.21],
  };
  for (const [name, [lat, lng]] of Object.entries(places)) {
    const place = { lat: lat!, lng: lng! };
    expect(toGcj02(place), name).toEqual(place);
  }
});

test('the offset is some hundred metres, and changes slowly', () => {
  const place = fc.record({
    lat: fc.double({ min: 23, max: 40, noNaN: true }),
    lng: fc.double({ min: 100, max: 118, noNaN: true }),
  });
  const metres = 111_320;
  fc.assert(
    fc.property(place, (at) => {
      const moved = toGcj02(at);
      const north = (moved.lat - at.lat) * metres;
      const east = (moved.lng - at.lng) * metres * Math.cos((at.lat * Math.PI) / 180);
      expect(Math.hypot(north, east)).toBeGreaterThan(20);
      expect(Math.hypot(north, east)).toBeLessThan(1000);
      // a screen of 2 km: the middle decides for all of it
      const beside = toGcj02({ lat: at.lat, lng: at.lng + 0.02 });
      expect(Math.abs(beside.lng - 0.02 - moved.lng) * metres).toBeLessThan(15);
    }),
  );
});

test('a view keeps its zoom, and only a base map in GCJ-02 moves', () => {
  const view = { lat: 30.27, lng: 120.15, zoom: 12 };
  expect(viewOn('wgs84', view)).toBe(view);
  expect(viewOn('gcj02', view)).toMatchObject({ zoom: 12 });
  expect(viewOn('gcj02', view).lng - view.lng).toBeGreaterThan(0.003);
});
