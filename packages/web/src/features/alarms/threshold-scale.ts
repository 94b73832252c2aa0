import { type Axis, axisOf } from '../../ui/chart/axis.ts';

interface Threshold {
  min: number;
  max: number;
}

/**
 * Ends at twice the highest value: usual values fill the chart even if a unit's bounds are far apart (10 ms to 10 s). A
 * line dragged to the top moves the end.
 */
export function thresholdScale(
  { min, max }: Threshold,
  reported: readonly number[],
  threshold: number,
): Axis & { min: number } {
  const highest = Math.max(...reported, threshold);
  const end = Math.max(...reported, Math.min(max, 2 * highest));
  return axisOf([...reported, threshold, min], 'number', end);
}
