import { curveMonotoneX, line } from 'd3-shape';

/** Pixels right of the plot. */
export const RIGHT = 14;
/** Pixels per character of an axis label. */
export const CHARACTER = 7.2;
/** Pixels below the axis. */
export const MARK = 5;

/** Pixels; null is a gap. */
export type Point = [x: number, y: number | null];

/** Smooth line, broken at gaps. */
export const path = line<Point>()
  .defined(([, y]) => y !== null)
  .x(([x]) => x)
  .y(([, y]) => y ?? 0)
  .curve(curveMonotoneX);
