import type { Random } from './random.ts';
import type { Spot, Station } from './station.ts';

export const lastingShare = 0.985;

const minute = 60_000;
const grid = 5 * minute;
/** People come or leave in the last two hours of the day, things at any time of it; in steps of the grid. */
const latest = { people: 24, things: 276 } as const;

/** What a midnight finds: at `atMs` the client has come and stayed, or has left and stayed away. */
export interface Night {
  atMs: number;
  isHere: boolean;
  spot: Spot;
}

/** Decides by seed and date alone: a day that ends at this midnight and one that begins there agree. */
export function nightOf(
  { random, person: { habit } }: Station,
  midnightMs: number,
  share: number,
  anySpot: (random: Random) => Spot,
): Night {
  const chance = random.fork(`night ${midnightMs}`);
  const isHere = chance.chance(habit.comesAndGoes ? share : lastingShare);
  const before = chance.whole(1, habit.comesAndGoes ? latest.people : latest.things);
  return { isHere, atMs: midnightMs - before * grid, spot: anySpot(chance) };
}
