import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import { devicesOfGroups } from '../fleet/groups.ts';
import { devicesOfNetworks } from '../fleet/managed-devices.ts';
import { progressOf } from '../jobs/standing.ts';

/** Background work that looks at devices which came to a place while its settings were being saved. */
const newcomersTask = 'configuration-newcomers';

/** Where settings were saved, and the job that brings them to those who were there; null: nobody was. */
interface Saved {
  accountId: string;
  place: { gwids: readonly string[] } | { groupId: string };
  jobId: string | null;
}

/**
 * Has those looked at who come to a place while its settings are saved: they are not in the job, and a look at them at that
 * time sees the settings before.
 */
export function followNewcomers(tx: Tx, saved: Saved): Promise<void> {
  return enqueue(tx, newcomersTask, saved);
}

/** What does that work. `look`: at devices of an account. */
export function createNewcomers(
  { database, clock }: { database: Database; clock: Clock },
  look: (serials: readonly string[], accountId: string) => Promise<void>,
) {
  return {
    [newcomersTask]: async ({ accountId, place, jobId }: Saved): Promise<void> => {
      const without = await database.withSystem(async (tx) => {
        const there =
          'gwids' in place
            ? (await devicesOfNetworks(tx, accountId, place.gwids, clock.now())).map(({ serial }) => serial)
            : await devicesOfGroups(tx, accountId, [place.groupId]);
        const { items } = await progressOf(tx, accountId, jobId === null ? [] : [jobId]);
        const served = new Set(items.map(({ serial }) => serial));
        return there.filter((serial) => !served.has(serial));
      });
      await look(without, accountId);
    },
  };
}
