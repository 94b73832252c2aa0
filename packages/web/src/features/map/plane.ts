import type { AlarmLevel, DeviceStatus } from '@yunxun/contract';
import type { Data } from '../../app/api.ts';
import { levels } from '../../ui/alarm-level.tsx';

export type MapPoint = Data<'/api/v3/map/list'>['points'][number];

/** Degrees; each zoom step doubles, 0 is the world. */
export interface View {
  lat: number;
  lng: number;
  zoom: number;
}

export const nearest = 18;
const tile = 256;
const worldAt = (zoom: number) => tile * 2 ** zoom;
/** Maximum latitude: at this value the Mercator map is square. */
const maxLat = 85;

/** Pixels from the upper left corner (Web Mercator, EPSG 3857). */
export function project({ lat, lng }: { lat: number; lng: number }, zoom: number): { x: number; y: number } {
  const size = worldAt(zoom);
  const sin = Math.sin((Math.max(-maxLat, Math.min(maxLat, lat)) * Math.PI) / 180);
  return { x: ((lng + 180) / 360) * size, y: (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * size };
}

export function unproject({ x, y }: { x: number; y: number }, zoom: number): { lat: number; lng: number } {
  const size = worldAt(zoom);
  const angle = Math.PI * (1 - (2 * y) / size);
  const lat = (Math.atan(Math.sinh(angle)) * 180) / Math.PI;
  return {
    lat: Math.max(-maxLat, Math.min(maxLat, lat)),
    lng: Math.max(-180, Math.min(180, (x / size) * 360 - 180)),
  };
}

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

export const byWorst: readonly DeviceStatus[] = ['offline', 'unknown', 'restarting', 'never_connected', 'online'];

export interface Cluster {
  id: string;
  x: number;
  y: number;
  status: DeviceStatus;
  points: MapPoint[];
}

/** Pixels; marks closer than `apart` would cover each other. */
const [cell, apart] = [56, 38];

interface Cell {
  column: number;
  row: number;
  points: MapPoint[];
}

const byGwid = (one: MapPoint, other: MapPoint) => (one.gwid < other.gwid ? -1 : 1);

/** Grid over the world at this zoom, in any order; groups at both sides of its lines are joined. */
export function clustersOf(points: readonly MapPoint[], zoom: number): Cluster[] {
  const cells = new Map<string, Cell>();
  for (const point of points.toSorted(byGwid)) {
    const { x, y } = project(point, zoom);
    const [column, row] = [Math.floor(x / cell), Math.floor(y / cell)];
    // at maximum zoom only identical places are grouped
    const key = zoom >= nearest ? `${point.lat} ${point.lng}` : `${column} ${row}`;
    const inside = cells.get(key);
    if (inside) inside.points.push(point);
    else cells.set(key, { column, row, points: [point] });
  }
  const groups = zoom >= nearest ? [...cells.values()].map((one) => one.points) : joined(cells, zoom);
  return groups.map((inside) => {
    const sorted = inside.toSorted(byGwid);
    return { id: sorted[0]!.gwid, ...meanOf(sorted, zoom), status: worstOf(sorted), points: sorted };
  });
}

function meanOf(points: readonly MapPoint[], zoom: number): { x: number; y: number } {
  const at = points.map((point) => project(point, zoom));
  const mean = (of: 'x' | 'y') => at.reduce((sum, place) => sum + place[of], 0) / at.length;
  return { x: mean('x'), y: mean('y') };
}

function joined(cells: ReadonlyMap<string, Cell>, zoom: number): MapPoint[][] {
  const means = new Map([...cells].map(([key, { points }]) => [key, meanOf(points, zoom)]));
  const beside = (key: string): string[] => {
    const { column, row } = cells.get(key)!;
    const { x, y } = means.get(key)!;
    return [-1, 0, 1]
      .flatMap((dx) => [-1, 0, 1].map((dy) => `${column + dx} ${row + dy}`))
      .filter((other) => {
        const mean = means.get(other);
        return mean !== undefined && Math.hypot(mean.x - x, mean.y - y) < apart;
      });
  };
  const seen = new Set<string>();
  const groups: MapPoint[][] = [];
  for (const start of cells.keys()) {
    if (seen.has(start)) continue;
    const group: MapPoint[] = [];
    const next = [start];
    seen.add(start);
    for (let key = next.pop(); key !== undefined; key = next.pop()) {
      group.push(...cells.get(key)!.points);
      for (const other of beside(key)) {
        if (seen.has(other)) continue;
        seen.add(other);
        next.push(other);
      }
    }
    groups.push(group);
  }
  return groups;
}

export function worstLevelOf(points: readonly Pick<MapPoint, 'alarms'>[]): AlarmLevel | null {
  return levels.find((level) => points.some(({ alarms }) => alarms?.worst === level)) ?? null;
}

export function worstOf(points: readonly { status: DeviceStatus }[]): DeviceStatus {
  return byWorst.find((status) => points.some((point) => point.status === status)) ?? 'unknown';
}

export function gridStep(zoom: number): number {
  const steps = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
  return steps.findLast((step) => (step / 360) * worldAt(zoom) >= 90) ?? 30;
}

/** Parses the `at` parameter: `30.27,120.15,6`; null if invalid. */
export function readView(text: string | undefined): View | null {
  const [lat, lng, zoom, ...more] = (text ?? '').split(',').map(Number);
  if (more.length > 0 || lat === undefined || lng === undefined || zoom === undefined) return null;
  if (![lat, lng, zoom].every(Number.isFinite) || Math.abs(lat) > maxLat || Math.abs(lng) > 180) return null;
  return { lat, lng, zoom: Math.max(0, Math.min(nearest, Math.round(zoom))) };
}

export function writeView({ lat, lng, zoom }: View): string {
  return `${lat.toFixed(4)},${lng.toFixed(4)},${zoom}`;
}
