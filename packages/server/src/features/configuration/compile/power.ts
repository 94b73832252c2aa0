import type { configuration } from '@yunxun/contract';

/** A radio counts as strong from this many dBm on. */
const strongFrom = 23;
const strong = { max: 27, high: 21, medium: 15, low: 8 } as const;
const weak = { max: 17, high: 17, medium: 11, low: 8 } as const;

/**
 * Transmit power in dBm of a level (design 3.8): 25-27/21/15/8 where the radio reaches 23 or more, else 17/11/8, where
 * `max` and `high` are the same. A radio of unknown reach counts as strong: its driver holds it to what it can.
 */
export function powerOf(level: configuration.PowerLevel, reach: number | undefined): number {
  if (reach === undefined) return strong[level];
  return Math.min((reach >= strongFrom ? strong : weak)[level], Math.max(0, Math.floor(reach)));
}
