import { scaleLinear } from 'd3-scale';

/** What an axis counts: its steps are round in that unit. */
export type AxisKind = 'count' | 'bytes' | 'number';

/** An axis from 0: its end, and where its lines stand. */
export interface Axis {
  max: number;
  ticks: readonly number[];
}

/** A round axis for values up to `max`: whole steps for counts, steps of a power of 1024 for bytes. `fixed` keeps the end. */
export function valueAxis(max: number, kind: AxisKind = 'count', fixed = false, wanted = 4): Axis {
  const unit = kind === 'bytes' ? 1024 ** Math.max(0, Math.floor(Math.log(Math.max(max, 1)) / Math.log(1024))) : 1;
  const least = kind === 'number' ? 0.1 : 1;
  const scale = scaleLinear().domain([0, Math.max(max / unit, least)]);
  if (!fixed) scale.nice(wanted);
  const ticks = scale.ticks(wanted).filter((tick) => kind !== 'count' || Number.isInteger(tick));
  return { max: (scale.domain()[1] ?? least) * unit, ticks: ticks.map((tick) => tick * unit) };
}

/** Which of `count` places carry a label when `width` is at hand and a label needs `room`; the last one always does. */
export function labelled(count: number, width: number, room = 68): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / room))));
  const places: number[] = [];
  for (let at = count - 1; at >= 0; at -= step) places.unshift(at);
  return places;
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
