import type { LineHealthState } from '../measure/line-health.ts';
import type { PlanNetwork, PlanPaths } from '../render/plan.ts';

/** A path replaces a working one for its latency only if it is this much faster. */
const clearlyFaster = 0.8;

/**
 * Returns the device that a prefix uses. A candidate counts as up until its probes fail. Traffic leaves a lost path at
 * once and returns to a preferred one after it was up for `holdS` seconds. Without any, it stays where it is.
 * @param now milliseconds
 */
export function choosePath(
  { candidates }: PlanPaths,
  current: string | undefined,
  stateOf: (candidate: PlanPaths['candidates'][number]) => LineHealthState | null,
  { order, holdS }: PlanNetwork['failover'],
  now: number,
): string {
  const all = candidates.map((one) => ({ device: one.device, state: stateOf(one) }));
  const used = all.find(({ device }) => device === current) ?? all[0]!;
  const up = all.filter(({ state }) => state?.alive !== false);
  const latency = ({ state }: (typeof all)[number]) => state?.latencyMs ?? Number.POSITIVE_INFINITY;
  const ranked = order === 'latency' ? up.toSorted((a, b) => latency(a) - latency(b)) : up;
  const best = ranked[0];
  if (best === undefined) return used.device;
  if (!up.includes(used)) return best.device;
  const held = best.state?.since !== null && now - (best.state?.since ?? now) >= holdS * 1000;
  const better = order === 'preferred' || latency(best) < latency(used) * clearlyFaster;
  return held && better ? best.device : used.device;
}
