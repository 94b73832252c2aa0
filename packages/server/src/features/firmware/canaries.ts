/** What the order of an upgrade looks at. */
export interface Candidate {
  model: string | null;
  online: boolean;
}

/**
 * The order in which devices have their turn: those that are there before those that are not, and the first `first` of
 * as many models as can be, the commonest before the others: what ails one model is found out before most of it is
 * upgraded. Within a model the order stays.
 */
export function inTurn<T extends Candidate>(devices: readonly T[], first: number): T[] {
  const ordered = devices.toSorted((a, b) => Number(b.online) - Number(a.online));
  const models = new Map<string | null, T[]>();
  for (const device of ordered.filter(({ online }) => online))
    models.set(device.model, [...(models.get(device.model) ?? []), device]);
  const queues = [...models.values()].toSorted((a, b) => b.length - a.length);
  const chosen = new Set<T>();
  for (let round = 0; chosen.size < first && queues.some((queue) => queue.length > round); round += 1) {
    for (const queue of queues) {
      const next = queue[round];
      if (next && chosen.size < first) chosen.add(next);
    }
  }
  return [...chosen, ...ordered.filter((device) => !chosen.has(device))];
}
