import { nearest, project, type View } from './plane.ts';

export interface Tile {
  z: number;
  x: number;
  y: number;
}

/** Maximum tiles drawn; larger views use a lower level. */
export const maxTiles = 128;

const pixels = 256;

export function tilesIn(view: View, { width, height }: { width: number; height: number }): Tile[] {
  if (width <= 0 || height <= 0) return [];
  const middle = project(view, view.zoom);
  const corner = { x: middle.x - width / 2, y: middle.y - height / 2 };
  for (let z = Math.max(0, Math.min(nearest, Math.round(view.zoom))); ; z -= 1) {
    const side = sideOf(z, view.zoom);
    const columns = between(corner.x / side, (corner.x + width) / side, 2 ** z);
    const rows = between(corner.y / side, (corner.y + height) / side, 2 ** z);
    if (columns.length * rows.length <= maxTiles || z === 0)
      return rows.flatMap((y) => columns.map((x) => ({ z, x, y })));
  }
}

/** Whole pixels, without gaps. */
export function placeOf({ z, x, y }: Tile, corner: { x: number; y: number }, zoom: number) {
  const side = sideOf(z, zoom);
  const [left, top] = [Math.round(x * side - corner.x), Math.round(y * side - corner.y)];
  return {
    left,
    top,
    width: Math.round((x + 1) * side - corner.x) - left,
    height: Math.round((y + 1) * side - corner.y) - top,
  };
}

export function addressOf(url: string, { z, x, y }: Tile): string {
  return url.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y));
}

const sideOf = (z: number, zoom: number) => pixels * 2 ** (zoom - z);

function between(from: number, to: number, count: number): number[] {
  const first = Math.max(0, Math.floor(from));
  return Array.from({ length: Math.max(0, Math.min(count, Math.ceil(to)) - first) }, (_, n) => first + n);
}
