import type { DeviceStatus } from '@yunxun/contract';
import type { Data } from '../../app/api.ts';

export type MapPoint = Data<'/api/v3/map/list'>['points'][number];

/** What is looked at: the middle in degrees, and how near (a step doubles the size; 0 is the whole world). */
export interface View {
  lat: number;
  lng: number;
  zoom: number;
}

export const nearest = 18;
const tile = 256;
/** Pixels of the world's width at a zoom. */
const worldAt = (zoom: number) => tile * 2 ** zoom;
/** Where Mercator's map of the world is square. */
const mostLat = 85;

/** A place in the world's square of a zoom, pixels from its upper left (Web Mercator, EPSG 3857). */
export function project({ lat, lng }: { lat: number; lng: number }, zoom: number): { x: number; y: number } {
  const size = worldAt(zoom);
  const sin = Math.sin((Math.max(-mostLat, Math.min(mostLat, lat)) * Math.PI) / 180);
  return { x: ((lng + 180) / 360) * size, y: (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * size };
}

/** The place that lies there; what is beyond the edge of the world is its edge. */
export function unproject({ x, y }: { x: number; y: number }, zoom: number): { lat: number; lng: number } {
  const size = worldAt(zoom);
  const angle = Math.PI * (1 - (2 * y) / size);
  const lat = (Math.atan(Math.sinh(angle)) * 180) / Math.PI;
  return {
    lat: Math.max(-mostLat, Math.min(mostLat, lat)),
    lng: Math.max(-180, Math.min(180, (x / size) * 360 - 180)),
  };
}

/** The nearest view that shows all of some places in so many pixels, with room around them. */
export function fit(points: readonly { lat: number; lng: number }[], width: number, height: number): View {
  if (points.length === 0) return { lat: 34, lng: 108, zoom: 3 };
  const flat = points.map((point) => project(point, 0));
  const [left, right] = [Math.min(...flat.map(({ x }) => x)), Math.max(...flat.map(({ x }) => x))];
  const [top, bottom] = [Math.min(...flat.map(({ y }) => y)), Math.max(...flat.map(({ y }) => y))];
  const room = 120;
  const scale = Math.min(
    Math.max(100, width - room) / Math.max(right - left, 1e-9),
    Math.max(100, height - room) / Math.max(bottom - top, 1e-9),
  );
  const zoom = Math.max(0, Math.min(14, Math.floor(Math.log2(scale))));
  return { ...unproject({ x: (left + right) / 2, y: (top + bottom) / 2 }, 0), zoom };
}

/** From the worst to the best. */
export const byWorst: readonly DeviceStatus[] = ['offline', 'unknown', 'restarting', 'never_connected', 'online'];

/** Points that lie on each other, drawn as one with the worst status of them. */
export interface Cluster {
  id: string;
  x: number;
  y: number;
  status: DeviceStatus;
  points: MapPoint[];
}

const cell = 56;

/** Points by the cells of a grid over the world's square of a zoom; the same clusters in whatever order points come. */
export function clustersOf(points: readonly MapPoint[], zoom: number): Cluster[] {
  const cells = new Map<string, MapPoint[]>();
  for (const point of points.toSorted((a, b) => (a.gwid < b.gwid ? -1 : 1))) {
    const { x, y } = project(point, zoom);
    // at its nearest a point stands for itself, unless another is at the very same place
    const key = zoom >= nearest ? `${point.lat} ${point.lng}` : `${Math.floor(x / cell)} ${Math.floor(y / cell)}`;
    const inside = cells.get(key);
    if (inside) inside.push(point);
    else cells.set(key, [point]);
  }
  return [...cells.values()].map((inside) => {
    const at = inside.map((point) => project(point, zoom));
    const mean = (of: 'x' | 'y') => at.reduce((sum, place) => sum + place[of], 0) / at.length;
    return { id: inside[0]!.gwid, x: mean('x'), y: mean('y'), status: worstOf(inside), points: inside };
  });
}

/** The worst status of some. */
export function worstOf(points: readonly { status: DeviceStatus }[]): DeviceStatus {
  return byWorst.find((status) => points.some((point) => point.status === status)) ?? 'unknown';
}

/** Degrees between the lines of the grid, so that they are neither crowded nor far apart. */
export function gridStep(zoom: number): number {
  const steps = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
  return steps.findLast((step) => (step / 360) * worldAt(zoom) >= 90) ?? 30;
}

/** `at` of the address: `30.27,120.15,6`; null where it is none. */
export function readView(text: string | undefined): View | null {
  const [lat, lng, zoom, ...more] = (text ?? '').split(',').map(Number);
  if (more.length > 0 || lat === undefined || lng === undefined || zoom === undefined) return null;
  if (![lat, lng, zoom].every(Number.isFinite) || Math.abs(lat) > mostLat || Math.abs(lng) > 180) return null;
  return { lat, lng, zoom: Math.max(0, Math.min(nearest, Math.round(zoom))) };
}

/** A view as the address holds it. */
export function writeView({ lat, lng, zoom }: View): string {
  return `${lat.toFixed(4)},${lng.toFixed(4)},${zoom}`;
}
