import type { Box } from './box/box.ts';
import { Random } from './world/random.ts';

export interface Cut {
  fromMs: number;
  untilMs: number;
}

export interface PastOutage extends Cut {
  serials: readonly string[];
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const betweenCuts = 12;
const maxDays = 60;

/** Returns the named outages of a device that begin on the day; without names cuts by chance. */
export function cutsOn(
  { seed, outages }: { seed: string; outages?: readonly PastOutage[] | undefined },
  box: Box,
  midnightMs: number,
): readonly Cut[] {
  if (outages === undefined) return cutOf(seed, box, midnightMs);
  return outages.filter(
    ({ serials, fromMs }) => serials.includes(box.serial) && fromMs >= midnightMs && fromMs < midnightMs + day,
  );
}

/** Returns the access point's cut on the day that begins at `midnightMs`: mornings and afternoons, by the seed alone. */
function cutOf(seed: string, { serial, hardware }: Box, midnightMs: number): Cut[] {
  if (hardware.role !== 'access-point') return [];
  const random = new Random(`${seed}/cut ${serial} ${midnightMs}`);
  if (!random.chance(1 / betweenCuts)) return [];
  const fromMs = midnightMs + random.whole(1, 18 * 12) * 5 * minute;
  return [{ fromMs, untilMs: fromMs + random.whole(1, 36) * 5 * minute }];
}

/** Returns the last boot before a midnight. */
export function bootedAt(
  from: { seed: string; outages?: readonly PastOutage[] | undefined },
  box: Box,
  midnightMs: number,
): number {
  for (let ago = 1; ago <= maxDays; ago += 1) {
    const cut = cutsOn(from, box, midnightMs - ago * day).at(-1);
    if (cut) return cut.untilMs;
  }
  // the same for each day
  const random = new Random(`${from.seed}/installed ${box.serial}`);
  return midnightMs - (midnightMs % (maxDays * day)) - Math.round(random.between(0, 20) * day);
}
