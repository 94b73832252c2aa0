import type { configuration } from '@yunxun/contract';

/** dBm from which a radio is strong. */
const strongFrom = 23;
/** dBm; the driver applies the limits. */
export const maxRequestedPower = 27;
const strong = { high: 21, medium: 15, low: 8 } as const;
const weak = { high: 17, medium: 11, low: 8 } as const;

/**
 * Maps to 25-27/21/15/8 dBm on radios of 23 or more, else 17/11/8 below `max`. A radio reports its limit only if asked
 * for more, so `max` requests the most. Never seen at `max` counts as strong.
 */
export function powerOf(level: configuration.PowerLevel, caps: number | undefined): number {
  if (level === 'max') return maxRequestedPower;
  if (caps === undefined) return strong[level];
  return Math.min((caps >= strongFrom ? strong : weak)[level], Math.max(0, Math.floor(caps)));
}
