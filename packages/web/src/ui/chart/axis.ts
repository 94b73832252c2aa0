/** What an axis counts: its steps are round in that unit. */
export type AxisKind = 'count' | 'bytes' | 'number';

/** An axis from 0: its end, and where its lines stand. */
export interface Axis {
  max: number;
  ticks: readonly number[];
}

/** A straight scale: where a value of one span stands in another. */
export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]) {
  return (value: number): number => start + ((value - from) / (to - from)) * (end - start);
}

/** The step of 1, 2 or 5 times a power of ten that comes nearest to `wanted` steps. */
function roundStep(max: number, wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(max / wanted));
  const part = max / wanted / power;
  return power * (part >= Math.sqrt(50) ? 10 : part >= Math.sqrt(10) ? 5 : part >= Math.sqrt(2) ? 2 : 1);
}

/** A round axis for values up to `max`: whole steps for counts, steps of a power of 1024 for bytes. `fixed` keeps the end. */
export function valueAxis(max: number, kind: AxisKind = 'count', fixed = false, wanted = 4): Axis {
  const unit = kind === 'bytes' ? 1024 ** Math.max(0, Math.floor(Math.log(Math.max(max, 1)) / Math.log(1024))) : 1;
  const end = Math.max(max / unit, kind === 'number' ? 0.1 : 1);
  const step = Math.max(roundStep(end, wanted), kind === 'number' ? 0 : 1);
  // a value that is a hair above a line, by the last bit of its division, needs no further line
  const steps = (fixed ? Math.floor : Math.ceil)(Number((end / step).toFixed(9)));
  const ticks = Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)) * unit);
  return { max: (fixed ? end : steps * step) * unit, ticks };
}

/** Where levels below 0 (dBm) begin and end: at full tens, with room below the lowest. */
const LEVEL = 10;

/**
 * The axis of what is to be drawn: from 0, or around levels where there is one below 0.
 * @param fixed the end of an axis that is not the data's to decide
 */
export function axisOf(values: readonly number[], kind: AxisKind, fixed?: number): Axis & { min: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low >= 0) return { min: 0, ...valueAxis(fixed ?? high, kind, fixed !== undefined) };
  const min = Math.floor(low / LEVEL) * LEVEL - LEVEL;
  const { max, ticks } = valueAxis((fixed ?? Math.ceil(high / LEVEL) * LEVEL) - min, kind, true);
  return { min, max: max + min, ticks: ticks.map((value) => value + min) };
}

/** Which of `count` places carry a label when `width` is at hand and a label needs `room`; the last one always does. */
export function labelled(count: number, width: number, room = 68): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / room))));
  const places: number[] = [];
  for (let at = count - 1; at >= 0; at -= step) places.unshift(at);
  return places;
}

const MINUTE = 60_000;
/** No zone is off from UTC by less than whole quarters of an hour. */
const QUARTER = 15 * MINUTE;
/** Between two marks, in minutes: what a day is divided by without a rest. */
const BETWEEN = [30, 60, 120, 180, 240, 360, 720];
const DAY = 1440;

/**
 * The half hours, hours or midnights between two moments that have room for a label each.
 * @param minuteOfDay minutes since midnight at a moment, where the chart's times are read
 */
export function roundTimes(
  [from, to]: readonly [number, number],
  width: number,
  minuteOfDay: (at: number) => number,
  room = 68,
): number[] {
  const most = Math.max(1, Math.floor(width / room));
  const step = BETWEEN.find((minutes) => (to - from) / MINUTE / minutes <= most) ?? DAY;
  const marks: number[] = [];
  for (let at = Math.ceil(from / QUARTER) * QUARTER; at <= to; at += QUARTER) {
    if (minuteOfDay(at) % step === 0) marks.push(at);
  }
  return marks;
}

/** The place of `positions` (rising) that is nearest to a pointer. */
export function nearest(positions: readonly number[], to: number): number {
  let best = 0;
  for (let at = 1; at < positions.length; at++) {
    if (Math.abs((positions[at] ?? 0) - to) < Math.abs((positions[best] ?? 0) - to)) best = at;
  }
  return best;
}

/** Whether there is anything to draw. */
export function hasValues(values: readonly (number | null)[]): boolean {
  return values.some((value) => value !== null && value > 0);
}
