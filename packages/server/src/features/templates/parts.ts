import type { Tx } from '../../platform/database/index.ts';
import type { Configuration } from '../configuration/service.ts';
import type { Change, Round } from './change-store.ts';
import { type DeviceProgress, isOpen } from './progress.ts';
import { resolveTargets, type Target } from './targets.ts';

type Layers = Configuration['layers'];
export type PinnedPart = Parameters<Layers['push']>[2][number];

/** Some devices of a push for one more round, and all that it is about. */
export interface Chosen {
  cause: Extract<Round['cause'], 'retry' | 'resume'>;
  chosen: readonly DeviceProgress[];
  all: readonly DeviceProgress[];
}

const placeName = ({ scope, ref }: Pick<Target, 'scope' | 'ref'>) => `${scope} ${ref}`;

/**
 * Devices of a push that get its template once more. It stands for a network or group from its last device on, and not
 * where a device would get it by that which has not had its turn.
 */
export async function partsOn(
  tx: Tx,
  layers: Layers,
  change: Change,
  { cause, chosen, all }: Chosen,
  now: Date,
): Promise<PinnedPart[]> {
  const targets = await resolveTargets(tx, change.account_id, change.targets, now);
  const byName = new Map(targets.map((target) => [target.device.serial, target]));
  const going = chosen
    .flatMap(({ serial, wave }) => {
      const target = byName.get(serial);
      return target ? [{ ...target, wave }] : [];
    })
    .toSorted((a, b) => a.wave - b.wave);
  const last = new Map(going.map((one) => [placeName(one), one.device.serial]));
  const names = new Set(chosen.map(({ serial }) => serial));
  const left = all
    .filter((one) => !names.has(one.serial) && !hadTurn(one))
    .flatMap(({ serial }) => byName.get(serial) ?? [])
    .filter((one) => last.has(placeName(one)));
  // who is left out by choice holds nobody up, as long as it has something else
  const bare = cause === 'resume' ? await keepOwn(tx, layers, change, left) : left;
  for (const one of bare) last.delete(placeName(one));
  return going.map(({ device, wave, scope, ref }): PinnedPart => {
    const to = { layerId: change.layer_id, version: change.version, scope, ref };
    return { device, wave, to, stands: scope !== 'device' && last.get(placeName(to)) === device.serial };
  });
}

/** Devices that a template is taken off once more: who has got another one meanwhile keeps that. */
export async function partsOff(
  tx: Tx,
  layers: Layers,
  change: Change,
  chosen: readonly DeviceProgress[],
): Promise<PinnedPart[]> {
  const serials = chosen.map(({ serial }) => serial);
  const pins = await layers.ownPins(tx, change.account_id, change.kind, serials);
  return chosen.flatMap(({ wave, ...device }): PinnedPart[] => {
    const pin = pins.get(device.serial) ?? null;
    return pin === null || pin.layerId === change.layer_id ? [{ device, wave, to: null, from: pin }] : [];
  });
}

const hadTurn = (device: DeviceProgress) =>
  device.cause !== 'reverse' && device.status !== 'cancelled' && !isOpen(device);

/** Writes down, as devices' own, which template they have by their network or group. @returns who has none */
async function keepOwn(
  tx: Tx,
  layers: Layers,
  { account_id: accountId, kind }: Change,
  targets: readonly Target[],
): Promise<Target[]> {
  const devices = targets.map(({ device }) => device);
  const pinsOf = await layers.ownStanding(tx, accountId, kind, devices);
  return targets.filter(({ device }) => !pinsOf(device)[kind]);
}
