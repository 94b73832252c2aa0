import type { templatePush } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { assignWaves } from '../../platform/rollout-waves.ts';
import { fleetDevices } from '../fleet/index.ts';
import type { Change } from './change-store.ts';
import type { Target } from './targets.ts';

/** `stands`: assigns its scope too. */
export interface Planned extends Target {
  wave: number;
  assignsScope: boolean;
}

/** Plans devices; the last one of a scope assigns that too. */
export function planDevices(
  targets: readonly Target[],
  { canary, share }: Pick<templatePush.PushPlan, 'canary' | 'share'>,
): Planned[] {
  const candidates = targets.map((target) => {
    return { target, model: target.device.model, online: target.device.status === 'online' };
  });
  const all = assignWaves(candidates, { first: canary, percent: share }).map(
    ({ target, wave }): Planned => ({ ...target, wave, assignsScope: false }),
  );
  const seen = new Set<string>();
  for (const one of all.toReversed()) {
    const place = `${one.scope} ${one.ref}`;
    if (one.scope === 'device' || seen.has(place)) continue;
    seen.add(place);
    one.assignsScope = true;
  }
  return all;
}

/** Uses canaries again. */
export async function reassignWaves<T extends { serial: string }>(
  tx: Tx,
  { account_id, plan }: Pick<Change, 'account_id' | 'plan'>,
  devices: readonly T[],
  now: Date,
): Promise<(T & { wave: number })[]> {
  const serials = devices.map(({ serial }) => serial);
  const facts = new Map(
    (await fleetDevices.managed(tx, account_id, serials, now)).map((device) => [device.serial, device]),
  );
  const candidates = devices.flatMap((device) => {
    const known = facts.get(device.serial);
    return known ? [{ device, model: known.model, online: known.status === 'online' }] : [];
  });
  return assignWaves(candidates, { first: plan.canary, percent: plan.share }).map(({ device, wave }) => ({
    ...device,
    wave,
  }));
}
