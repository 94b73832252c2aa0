import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import type { Jobs } from './service.ts';

/** Milliseconds between two looks at a device that carries a command out. */
const lookAgainMs = 30_000;

/** Whom is looked at. */
export interface LookedAt {
  accountId: string;
  serial: string;
}

/** Looks at devices that carry a command out, for the items that wait for them. */
export interface Looks<Target extends LookedAt> {
  /** Looks at the device in half a minute; one that is looked at already is looked at then. */
  later(tx: Tx, target: Target, commanded: Date): Promise<void>;
  /** The queue's task. */
  look(payload: Target & { commanded: string }): Promise<void>;
}

/**
 * Wakes the items of a device that has done what it was told, or has had its time for it, and looks again later at one
 * that has not.
 *
 * @param task its name in the queue
 * @param waits whether the device may still come to it, told since when it knows
 */
export function createLooks<Target extends LookedAt>(
  { database, clock, jobs }: { database: Database; clock: Clock; jobs: Pick<Jobs, 'wake'> },
  task: string,
  waits: (tx: Tx, target: Target, commanded: Date) => Promise<boolean>,
): Looks<Target> {
  async function later(tx: Tx, target: Target, commanded: Date): Promise<void> {
    const runAt = new Date(clock.now().getTime() + lookAgainMs);
    const payload = { ...target, commanded: commanded.toISOString() };
    await enqueue(tx, task, payload, { key: `${task}:${target.accountId}.${target.serial}`, runAt });
  }
  async function look(payload: Target & { commanded: string }): Promise<void> {
    const commanded = new Date(payload.commanded);
    if (await database.withSystem((tx) => waits(tx, payload, commanded)))
      await database.withSystem((tx) => later(tx, payload, commanded));
    else await jobs.wake(payload.accountId, payload.serial);
  }
  return { later, look };
}
