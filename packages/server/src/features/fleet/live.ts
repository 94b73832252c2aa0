import type { LiveFact } from '@yunxun/contract';
import type { Bus } from '../../platform/bus/index.ts';
import { afterCommit, type Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';

/** Tells the account's open pages, once the transaction is committed. */
export function announce(
  tx: Tx,
  bus: Bus,
  accountId: string,
  fact: Exclude<LiveFact, { type: 'device.changed' }>,
): void {
  tell(tx, bus, accountId, fact);
}

/** Background work that looks at devices whose name, place or kind has changed. */
export const devicesChanged = 'devices-changed';

/** Its payload. */
export interface ChangedDevices {
  accountId: string;
  serials: readonly string[];
}

/** Devices of one piece of that work, at the most. */
const atOnce = 100;

/** Tells the account's open pages that devices have changed, and has what follows from it looked at, also after a crash. */
export async function announceDevices(
  tx: Tx,
  bus: Bus,
  accountId: string,
  devices: readonly { serial: string; gwid: string | null }[],
): Promise<void> {
  tellChanged(tx, bus, accountId, devices);
  for (let at = 0; at < devices.length; at += atOnce) {
    const serials = devices.slice(at, at + atOnce).map(({ serial }) => serial);
    const payload: ChangedDevices = { accountId, serials };
    // one look is enough for what changes twice before it; those of very many take one worker, and leave the others alone
    const how =
      devices.length === 1
        ? { key: `${devicesChanged}:${accountId}.${serials[0]}` }
        : { queue: `${devicesChanged}:${accountId}` };
    await enqueue(tx, devicesChanged, payload, how);
  }
}

/** Tells the account's open pages that devices have other tags; what devices run does not follow from those. */
export const announceTags = tellChanged;

function tellChanged(
  tx: Tx,
  bus: Bus,
  accountId: string,
  devices: readonly { serial: string; gwid: string | null }[],
): void {
  for (const { serial, gwid } of devices) tell(tx, bus, accountId, { type: 'device.changed', serial, gwid });
}

function tell(tx: Tx, bus: Bus, accountId: string, fact: LiveFact): void {
  afterCommit(tx, () => bus.publish(`live.${accountId}`, fact));
}
