import type { WanHealthState } from '../measure/wan-health.ts';
import type { PlanNetwork, PlanPaths } from '../render/plan.ts';

/** Required share of the latency to replace a working path. */
const clearlyFaster = 0.8;

/**
 * Chooses a prefix's device. A candidate is up until its probes fail. Traffic leaves a lost path at once and returns to
 * a preferred one after `holdS` seconds; else it stays.
 * @param now milliseconds
 */
export function choosePath(
  { candidates }: PlanPaths,
  current: string | undefined,
  stateOf: (candidate: PlanPaths['candidates'][number]) => WanHealthState | null,
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
