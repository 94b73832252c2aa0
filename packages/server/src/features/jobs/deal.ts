/** What the order of a plan looks at. */
export interface Candidate {
  model: string | null;
  online: boolean;
}

/** How large the waves of a plan are: so many devices first, then so many percent of all at a time (100: the rest at once). */
export interface Sizes {
  first: number;
  percent: number;
}

/**
 * Who has its turn when: those that are there before those that are away, and of both one of each model, the commonest
 * first, then another of each: what ails one model is found out before most of it is changed. Within a model the order
 * stays. Those that are away are in waves as large as the others': they may be back when these begin.
 */
export function dealt<T extends Candidate>(devices: readonly T[], { first, percent }: Sizes): (T & { wave: number })[] {
  const ordered = [true, false].flatMap((online) => byTurns(devices.filter((device) => device.online === online)));
  const waves = inShares(ordered.length, first, percent);
  return ordered.map((device, at) => ({ ...device, wave: waves[at]! }));
}

/** How many are in each wave. */
export function sizesOf(planned: readonly { wave: number }[]): number[] {
  const sizes: number[] = [];
  for (const { wave } of planned) sizes[wave] = (sizes[wave] ?? 0) + 1;
  return sizes;
}

function byTurns<T extends Candidate>(devices: readonly T[]): T[] {
  const models = new Map<string | null, T[]>();
  for (const device of devices) {
    const own = models.get(device.model);
    if (own) own.push(device);
    else models.set(device.model, [device]);
  }
  const queues = [...models.values()].toSorted((a, b) => b.length - a.length);
  return Array.from({ length: queues[0]?.length ?? 0 }, (_, turn) =>
    queues.flatMap((queue) => queue[turn] ?? []),
  ).flat();
}

/** One first, then a tenth of all, then the rest: for so many items, in their order, the number of each one's wave. */
export function inWaves(total: number): number[] {
  const second = 1 + Math.ceil(total / 10);
  return Array.from({ length: total }, (_, at) => (at === 0 ? 0 : at < second ? 1 : 2));
}

/** Waves of a chosen size: for so many items, in their order, the number of each one's wave. */
function inShares(total: number, first: number, percent: number): number[] {
  const share = Math.max(1, Math.ceil((total * percent) / 100));
  return Array.from({ length: total }, (_, at) => {
    if (at < first) return 0;
    return (first > 0 ? 1 : 0) + Math.floor((at - first) / share);
  });
}
