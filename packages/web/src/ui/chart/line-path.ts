import { curveMonotoneX, line } from 'd3-shape';

/** Space right of the plot, in pixels. */
export const RIGHT = 14;
/** Width of a character of an axis label, in pixels. */
export const CHARACTER = 7.2;
/** How far the mark of a time reaches below the axis, in pixels. */
export const MARK = 5;

/** In pixels; null is a gap. */
export type Point = [x: number, y: number | null];

/** Smooth line that is broken at gaps. */
export const path = line<Point>()
  .defined(([, y]) => y !== null)
  .x(([x]) => x)
  .y(([, y]) => y ?? 0)
  .curve(curveMonotoneX);
