import type { LiveFact } from '@yunxun/contract';
import type { Bus } from '../../platform/bus/index.ts';
import { afterCommit, type Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';

/** Publishes after commit. */
export function announce(
  tx: Tx,
  bus: Bus,
  accountId: string,
  fact: Exclude<LiveFact, { type: 'device.changed' }>,
): void {
  tell(tx, bus, accountId, fact);
}

/** For changed name, network or kind. */
const devicesChanged = 'devices-changed';

interface ChangedDevices {
  accountId: string;
  serials: readonly string[];
}

export type DevicesChanged = (serials: readonly string[], accountId: string) => Promise<void>;

const atOnce = 100;

/** Publishes changes and enqueues follow-up work, which survives a crash. */
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
    // a key merges repeats; a queue limits a large batch to one worker
    const how =
      devices.length === 1
        ? { key: `${devicesChanged}:${accountId}.${serials[0]}` }
        : { queue: `${devicesChanged}:${accountId}` };
    await enqueue(tx, devicesChanged, payload, how);
  }
}

export const followUpTasks = (followers: readonly DevicesChanged[]) => ({
  async [devicesChanged]({ accountId, serials }: ChangedDevices): Promise<void> {
    for (const follower of followers) await follower(serials, accountId);
  },
});

/** Configurations ignore tags. */
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
