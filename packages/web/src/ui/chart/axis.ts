export type AxisKind = 'count' | 'bytes' | 'number';

export interface Axis {
  max: number;
  ticks: readonly number[];
}

export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]) {
  return (value: number): number => start + ((value - from) / (to - from)) * (end - start);
}

/** Returns 1, 2 or 5 times a power of ten, nearest to `wanted` steps. */
function roundStep(max: number, wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(max / wanted));
  const part = max / wanted / power;
  return power * (part >= Math.sqrt(50) ? 10 : part >= Math.sqrt(10) ? 5 : part >= Math.sqrt(2) ? 2 : 1);
}

/** Uses integer steps for counts, powers of 1024 for bytes. `fixed` keeps the end. */
export function valueAxis(max: number, kind: AxisKind = 'count', fixed = false, wanted = 4): Axis {
  const unit = kind === 'bytes' ? 1024 ** Math.max(0, Math.floor(Math.log(Math.max(max, 1)) / Math.log(1024))) : 1;
  const end = Math.max(max / unit, kind === 'number' ? 0.1 : 1);
  const step = Math.max(roundStep(end, wanted), kind === 'number' ? 0 : 1);
  // a division error in the last bit must not add a line
  const steps = (fixed ? Math.floor : Math.ceil)(Number((end / step).toFixed(9)));
  const ticks = Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)) * unit);
  return { max: (fixed ? end : steps * step) * unit, ticks };
}

/** dBm; both ends are multiples. */
const LEVEL = 10;

/**
 * Starts at 0, or around the values if any is negative (dBm).
 * @param fixed end of the axis, if the data does not decide it
 */
export function axisOf(values: readonly number[], kind: AxisKind, fixed?: number): Axis & { min: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low >= 0) return { min: 0, ...valueAxis(fixed ?? high, kind, fixed !== undefined) };
  const min = Math.floor(low / LEVEL) * LEVEL - LEVEL;
  const { max, ticks } = valueAxis((fixed ?? Math.ceil(high / LEVEL) * LEVEL) - min, kind, true);
  return { min, max: max + min, ticks: ticks.map((value) => value + min) };
}

/** Returns the places with a label, always the last; a label needs `room` pixels. */
export function labelled(count: number, width: number, room = 68): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / room))));
  const places: number[] = [];
  for (let at = count - 1; at >= 0; at -= step) places.unshift(at);
  return places;
}

const MINUTE = 60_000;
/** Every zone's offset is a multiple. */
const QUARTER = 15 * MINUTE;
/** Minutes between two marks; all divide a day. */
const BETWEEN = [30, 60, 120, 180, 240, 360, 720];
const DAY = 1440;

/**
 * Returns half hours, hours or midnights that fit with their labels.
 * @param minuteOfDay returns minutes since midnight in the chart's zone
 */
export function roundTimes(
  [from, to]: readonly [number, number],
  width: number,
  minuteOfDay: (at: number) => number,
  room = 68,
): number[] {
  const max = Math.max(1, Math.floor(width / room));
  const step = BETWEEN.find((minutes) => (to - from) / MINUTE / minutes <= max) ?? DAY;
  const marks: number[] = [];
  for (let at = Math.ceil(from / QUARTER) * QUARTER; at <= to; at += QUARTER) {
    if (minuteOfDay(at) % step === 0) marks.push(at);
  }
  return marks;
}

export function nearest(positions: readonly number[], to: number): number {
  let best = 0;
  for (let at = 1; at < positions.length; at++) {
    if (Math.abs((positions[at] ?? 0) - to) < Math.abs((positions[best] ?? 0) - to)) best = at;
  }
  return best;
}

export function hasValues(values: readonly (number | null)[]): boolean {
  return values.some((value) => value !== null && value > 0);
}
