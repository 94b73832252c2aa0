import type { configuration } from '@yunxun/contract';

/** A radio counts as strong from this many dBm on. */
const strongFrom = 23;
/** dBm asked of a radio that is to give what it has: its driver holds it to what it can and may. */
export const mostAsked = 27;
const strong = { high: 21, medium: 15, low: 8 } as const;
const weak = { high: 17, medium: 11, low: 8 } as const;

/**
 * Transmit power in dBm of a level: 25-27/21/15/8 where the radio reaches 23 or more, else 17/11/8 for `high` and below.
 * No capability tells the reach; reports do, but only of a radio that is asked for more than it has. So `max` always
 * asks for the most, which on a weak radio comes to its 17 or so, and a radio that was never seen at `max` counts as
 * strong.
 */
export function powerOf(level: configuration.PowerLevel, reach: number | undefined): number {
  if (level === 'max') return mostAsked;
  if (reach === undefined) return strong[level];
  return Math.min((reach >= strongFrom ? strong : weak)[level], Math.max(0, Math.floor(reach)));
}
