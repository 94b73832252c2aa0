import type { Spot } from './station.ts';

/** Returns received power in dBm by distance; walls attenuate higher bands more. */
export function signal(from: Spot, to: Spot, band: string): number {
  const metres = Math.max(1, Math.hypot(from.x - to.x, from.y - to.y));
  const loss = band === '2G' ? 30 : 34;
  return Math.round(-34 - loss * Math.log10(metres));
}
