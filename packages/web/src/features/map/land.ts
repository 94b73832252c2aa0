import { project } from './plane.ts';

/** `x, y, …` from 0 to 1 across the Mercator map. */
export interface Ring {
  xy: Float64Array;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Land {
  /** A ring inside another is a hole. */
  land: readonly Ring[];
  lakes: readonly Ring[];
}

/** Per degree. */
const steps = 100;
const world = 256;

/** Reads what scripts/land.mjs writes: zigzag variable-length differences. */
export function readLand(bytes: Uint8Array): Land {
  let at = 0;
  const next = () => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
      shift += 7;
    }
    return (value >>> 1) ^ -(value & 1);
  };
  const layer = () => Array.from({ length: next() }, () => ringOf(next(), next));
  return { land: layer(), lakes: layer() };
}

function ringOf(length: number, next: () => number): Ring {
  const xy = new Float64Array(length * 2);
  const ring = { xy, left: 1, top: 1, right: 0, bottom: 0 };
  let [lng, lat] = [0, 0];
  for (let at = 0; at < length; at += 1) {
    lng += next();
    lat += next();
    const flat = project({ lng: lng / steps, lat: lat / steps }, 0);
    const [x, y] = [flat.x / world, flat.y / world];
    xy[at * 2] = x;
    xy[at * 2 + 1] = y;
    ring.left = Math.min(ring.left, x);
    ring.right = Math.max(ring.right, x);
    ring.top = Math.min(ring.top, y);
    ring.bottom = Math.max(ring.bottom, y);
  }
  return ring;
}

interface Window {
  corner: { x: number; y: number };
  size: { width: number; height: number };
  zoom: number;
}

/** Hides cut edges. */
const margin = 8;
/** Pixels, of points and of rings. */
const [grain, speck] = [0.8, 1.5];

/** Returns path data cut at the window: nothing is drawn far outside. */
export function outline(rings: readonly Ring[], { corner, size, zoom }: Window): string {
  const scale = world * 2 ** zoom;
  const [left, top] = [(corner.x - margin) / scale, (corner.y - margin) / scale];
  const [right, bottom] = [(corner.x + size.width + margin) / scale, (corner.y + size.height + margin) / scale];
  let path = '';
  for (const ring of rings) {
    if (ring.right < left || ring.left > right || ring.bottom < top || ring.top > bottom) continue;
    if (Math.max(ring.right - ring.left, ring.bottom - ring.top) * scale < speck) continue;
    const inside = ring.left >= left && ring.right <= right && ring.top >= top && ring.bottom <= bottom;
    const xy = inside ? ring.xy : cut(ring.xy, { left, top, right, bottom });
    path += pathOf(xy, corner, scale);
  }
  return path;
}

const tenth = (value: number) => Math.round(value * 10) / 10;

function pathOf(xy: ArrayLike<number>, corner: Window['corner'], scale: number): string {
  let path = '';
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  let drawn = 0;
  for (let at = 0; at < xy.length; at += 2) {
    const [x, y] = [xy[at]! * scale - corner.x, xy[at + 1]! * scale - corner.y];
    if (Math.abs(x - lastX) < grain && Math.abs(y - lastY) < grain) continue;
    path += `${drawn === 0 ? 'M' : 'L'}${tenth(x)} ${tenth(y)}`;
    [lastX, lastY] = [x, y];
    drawn += 1;
  }
  return drawn > 2 ? `${path}z` : '';
}

/** Sutherland and Hodgman. */
function cut(xy: ArrayLike<number>, box: { left: number; top: number; right: number; bottom: number }): number[] {
  const edges = [
    { axis: 0, at: box.left, keep: 1 },
    { axis: 0, at: box.right, keep: -1 },
    { axis: 1, at: box.top, keep: 1 },
    { axis: 1, at: box.bottom, keep: -1 },
  ] as const;
  let points: ArrayLike<number> = xy;
  for (const { axis, at, keep } of edges) {
    const found: number[] = [];
    const count = points.length;
    for (let from = count - 2, to = 0; to < count; from = to, to += 2) {
      const [own, other] = [points[from + axis]!, points[to + axis]!];
      const [isIn, willBeIn] = [(own - at) * keep >= 0, (other - at) * keep >= 0];
      if (isIn !== willBeIn) {
        const share = (at - own) / (other - own);
        const crossing = [
          points[from]! + share * (points[to]! - points[from]!),
          points[from + 1]! + share * (points[to + 1]! - points[from + 1]!),
        ];
        crossing[axis] = at;
        found.push(...crossing);
      }
      if (willBeIn) found.push(points[to]!, points[to + 1]!);
    }
    points = found;
  }
  return points as number[];
}
