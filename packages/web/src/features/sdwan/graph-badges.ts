import { nodeSize, type Point } from './graph-layout.ts';

export const badgeHeight = 18;
/** Of the way along a link, best first. */
const stops = [0.5, 0.4, 0.6, 0.32, 0.68];

/** In units of the drawing. */
export const badgeWidth = (text: string): number =>
  14 + [...text].reduce((sum, sign) => sum + (sign > '\u2e80' ? 11 : 6.4), 0);

interface Labelled {
  from: string;
  to: string;
  badge?: string;
}

interface Area extends Point {
  width: number;
  height: number;
}

const overlaps = (one: Area, other: Area) =>
  Math.abs(one.x - other.x) < (one.width + other.width) / 2 &&
  Math.abs(one.y - other.y) < (one.height + other.height) / 2;

/** Returns where badges cover neither a box nor a badge of an earlier link; those without room are left out. */
export function placeBadges<L extends Labelled>(
  points: ReadonlyMap<string, Point>,
  links: readonly L[],
): ReadonlyMap<L, Point> {
  const taken: Area[] = [...points.values()].map((point) => ({ ...point, ...nodeSize }));
  const spots = new Map<L, Point>();
  for (const link of links) {
    const [from, to] = [points.get(link.from), points.get(link.to)];
    if (!link.badge || !from || !to) continue;
    const size = { width: badgeWidth(link.badge), height: badgeHeight };
    const free = stops
      .map((stop) => ({ x: from.x + (to.x - from.x) * stop, y: from.y + (to.y - from.y) * stop, ...size }))
      .find((area) => !taken.some((other) => overlaps(area, other)));
    if (!free) continue;
    taken.push(free);
    spots.set(link, { x: free.x, y: free.y });
  }
  return spots;
}
