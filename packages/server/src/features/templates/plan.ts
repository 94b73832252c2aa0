import type { templatePush } from '@yunxun/contract';
import { inShares } from '../jobs/service.ts';
import type { Target } from './targets.ts';

/** A target with the wave that it has its turn in; of each network and group one stands for those that come later. */
export interface Planned extends Target {
  wave: number;
  stands: boolean;
}

/**
 * Who has its turn when. The first wave is of devices that are there, of as many models as possible; those that are away
 * come last, where they hold nobody up. The last to have its turn of a network or a group is the one from which on the
 * template stands there.
 */
export function planned(targets: readonly Target[], { canary, share }: templatePush.PushPlan): Planned[] {
  const online = targets.filter(({ device }) => device.status === 'online');
  const away = targets.filter(({ device }) => device.status !== 'online');
  const ordered = [...byTurnsOfModel(online), ...away];
  const waves = inShares(ordered.length, Math.min(canary, online.length), share);
  const last = Math.max(0, ...waves);
  const all = ordered.map((target, index): Planned => {
    const wave = target.device.status === 'online' ? waves[index]! : last;
    return { ...target, wave, stands: false };
  });
  const seen = new Set<string>();
  for (const one of all.toReversed()) {
    const place = `${one.scope} ${one.ref}`;
    if (one.scope === 'device' || seen.has(place)) continue;
    seen.add(place);
    one.stands = true;
  }
  return all;
}

/** The first of each model, then the second of each, and so on. */
function byTurnsOfModel(targets: readonly Target[]): Target[] {
  const turns = new Map<string, number>();
  const ranked = targets.map((target) => {
    const turn = turns.get(target.device.model) ?? 0;
    turns.set(target.device.model, turn + 1);
    return { target, turn };
  });
  return ranked.toSorted((a, b) => a.turn - b.turn).map(({ target }) => target);
}
