export interface Candidate {
  model: string | null;
  online: boolean;
}

/** First wave as a number, later ones as percent of all (100: one wave). */
export interface WaveSizes {
  first: number;
  percent: number;
}

/**
 * Assigns online devices first, one of each model in turn, most common first: a fault of one model shows early. Offline
 * devices get full waves: they may be back by then.
 */
export function assignWaves<T extends Candidate>(
  devices: readonly T[],
  { first, percent }: WaveSizes,
): (T & { wave: number })[] {
  const ordered = [true, false].flatMap((online) => byTurns(devices.filter((device) => device.online === online)));
  const waves = inShares(ordered.length, first, percent);
  return ordered.map((device, at) => ({ ...device, wave: waves[at]! }));
}

export function countByWave(planned: readonly { wave: number }[]): number[] {
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

/** Returns waves: one item, then a tenth, then the rest. */
export function waveSizes(total: number): number[] {
  const second = 1 + Math.ceil(total / 10);
  return Array.from({ length: total }, (_, at) => (at === 0 ? 0 : at < second ? 1 : 2));
}

function inShares(total: number, first: number, percent: number): number[] {
  const share = Math.max(1, Math.ceil((total * percent) / 100));
  return Array.from({ length: total }, (_, at) => {
    if (at < first) return 0;
    return (first > 0 ? 1 : 0) + Math.floor((at - first) / share);
  });
}
