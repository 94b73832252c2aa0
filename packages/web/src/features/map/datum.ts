import type { MapDatum } from '@yunxun/contract';

interface Place {
  lat: number;
  lng: number;
}

/** Krasovsky 1940. */
const [axis, eccentricity] = [6_378_245, 0.006693421622965943];
const radian = Math.PI / 180;

/** China by rectangles: north, west, south, east. */
const within = [
  [49.2204, 79.4462, 42.8899, 96.33],
  [54.1415, 109.6872, 39.3742, 135.0002],
  [42.8899, 73.1246, 29.5297, 124.143255],
  [29.5297, 82.9684, 26.7186, 97.0352],
  [29.5297, 97.0253, 20.414096, 124.367395],
  [20.414096, 107.975793, 17.871542, 111.744104],
] as const;
/** Parts without offset. */
const without = [
  [25.398623, 119.921265, 21.785006, 122.497559],
  [22.284, 101.8652, 20.0988, 106.665],
  [21.5422, 106.4525, 20.4878, 108.051],
  [55.8175, 109.0323, 50.3257, 119.127],
  [55.8175, 127.4568, 49.5574, 137.0227],
  [44.8922, 131.2662, 42.5692, 137.0227],
] as const;

function hasOffset({ lat, lng }: Place): boolean {
  const holds = ([north, west, south, east]: readonly [number, number, number, number]) =>
    lat <= north && lat >= south && lng >= west && lng <= east;
  return within.some(holds) && !without.some(holds);
}

const wave = (amplitude: number, value: number) => amplitude * Math.sin(value * Math.PI);

/** Metres north. */
function northward(x: number, y: number): number {
  const plain = -100 + 2 * x + 3 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * Math.sqrt(Math.abs(x));
  const waves =
    wave(20, 6 * x) + wave(20, 2 * x) + wave(20, y) + wave(40, y / 3) + wave(160, y / 12) + wave(320, y / 30);
  return plain + (waves * 2) / 3;
}

/** Metres east. */
function eastward(x: number, y: number): number {
  const plain = 300 + x + 2 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * Math.sqrt(Math.abs(x));
  const waves =
    wave(20, 6 * x) + wave(20, 2 * x) + wave(20, x) + wave(40, x / 3) + wave(150, x / 12) + wave(300, x / 30);
  return plain + (waves * 2) / 3;
}

/** By the formula in common use. */
export function toGcj02<P extends Place>(place: P): P {
  if (!hasOffset(place)) return place;
  const [x, y] = [place.lng - 105, place.lat - 35];
  const latitude = place.lat * radian;
  const flattened = 1 - eccentricity * Math.sin(latitude) ** 2;
  const meridian = (axis * (1 - eccentricity)) / flattened ** 1.5;
  const parallel = (axis / Math.sqrt(flattened)) * Math.cos(latitude);
  return {
    ...place,
    lat: place.lat + northward(x, y) / meridian / radian,
    lng: place.lng + eastward(x, y) / parallel / radian,
  };
}

export function viewOn<V extends Place>(datum: MapDatum, view: V): V {
  return datum === 'gcj02' ? toGcj02(view) : view;
}
