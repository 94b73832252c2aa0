import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import { deviceGroups, fleetDevices } from '../fleet/index.ts';
import { jobStates } from '../jobs/index.ts';

const lateEnrolmentTask = 'configuration-newcomers';

interface SavedSettings {
  accountId: string;
  place: { gwids: readonly string[] } | { groupId: string };
  jobId: string | null;
}

/** Reconciles devices outside the push job: devices that join during the save may compile the old settings. */
export function enqueueLateEnrolmentReconcile(tx: Tx, saved: SavedSettings): Promise<void> {
  return enqueue(tx, lateEnrolmentTask, saved);
}

export function createLateEnrolment(
  { database, clock }: { database: Database; clock: Clock },
  look: (serials: readonly string[], accountId: string) => Promise<void>,
) {
  return {
    [lateEnrolmentTask]: async ({ accountId, place, jobId }: SavedSettings): Promise<void> => {
      const without = await database.withSystem(async (tx) => {
        const there =
          'gwids' in place
            ? (await fleetDevices.ofNetworks(tx, accountId, place.gwids, clock.now())).map(({ serial }) => serial)
            : await deviceGroups.devices(tx, accountId, [place.groupId]);
        const { items } = await jobStates.progress(tx, accountId, jobId === null ? [] : [jobId]);
        const served = new Set(items.map(({ serial }) => serial));
        return there.filter((serial) => !served.has(serial));
      });
      await look(without, accountId);
    },
  };
}
