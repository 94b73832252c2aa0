import type { Tx } from '../../platform/database/index.ts';
import { floorTo, hour } from '../../telemetry/layers.ts';
import { type Lines, type Measures, series } from '../../telemetry/read/index.ts';

const bands = ['clients2g', 'clients5g', 'clients6g'] as const;

/** Sums bands, one decimal; null without reports. */
export function wirelessOf(row: Pick<Measures, (typeof bands)[number]>): number | null {
  const known = bands.flatMap((band) => row[band] ?? []);
  return known.length > 0 ? Math.round(known.reduce((sum, value) => sum + value, 0) * 10) / 10 : null;
}

/** Returns the begin of the first of `count` whole hours before `now`. */
export function firstHour(now: Date, count: number): Date {
  return new Date(floorTo(hour, now).getTime() - count * hour);
}

/** Returns the mean wireless clients of each whole hour by line; lines without reports are missing. */
export async function hourlyClients(
  tx: Tx,
  accountId: string,
  lines: Lines,
  { now, count }: { now: Date; count: number },
): Promise<ReadonlyMap<string | null, (number | null)[]>> {
  const from = firstHour(now, count);
  const rows = await series(tx, accountId, { ...lines, from, to: floorTo(hour, now), step: '1h', want: bands });
  const curves = new Map<string | null, (number | null)[]>();
  for (const row of rows) {
    const curve = curves.get(row.id) ?? Array<number | null>(count).fill(null);
    curve[(row.bucket.getTime() - from.getTime()) / hour] = wirelessOf(row);
    curves.set(row.id, curve);
  }
  return curves;
}
