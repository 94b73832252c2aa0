import type { configuration } from '@yunxun/contract';

/** Minimum dBm of a strong radio. */
const strongFrom = 23;
/** dBm requested at `max`: the driver applies the limits. */
export const maxRequestedPower = 27;
const strong = { high: 21, medium: 15, low: 8 } as const;
const weak = { high: 17, medium: 11, low: 8 } as const;

/**
 * Returns dBm of a level: 25-27/21/15/8 on radios that reach 23 or more, else 17/11/8 below `max`. Only a radio that is
 * asked for more than it has reports its limit, so `max` requests the most. A radio never seen at `max` counts as
 * strong.
 */
export function powerOf(level: configuration.PowerLevel, reach: number | undefined): number {
  if (level === 'max') return maxRequestedPower;
  if (reach === undefined) return strong[level];
  return Math.min((reach >= strongFrom ? strong : weak)[level], Math.max(0, Math.floor(reach)));
}
