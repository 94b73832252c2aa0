import { people } from '../../identity/index.ts';
import { diskUse } from '../../installation/index.ts';
import type { AlarmSource } from '../source.ts';

/** The administrators' accounts get the console's own alarms. */
export const consoleSource: AlarmSource<'console_disk'> = {
  kinds: { console_disk: null },
  async read(tx, { now, trackedNetworks }) {
    const disks = await diskUse(tx, now);
    const accounts = disks.length > 0 ? await people.administratorAccounts(tx) : [];
    const measured = new Set(disks.map(({ folder }) => folder));
    // of a folder that the console no longer uses
    const left = trackedNetworks('console_disk').filter(({ part }) => disks.length > 0 && !measured.has(part));
    const found = accounts.flatMap((accountId) => disks.map((disk) => ({ accountId, ...disk })));
    return [...found, ...left.map(({ accountId, part }) => ({ accountId, folder: part, percent: 0 }))].map(
      ({ accountId, folder, percent }) => ({
        accountId,
        serial: null,
        gwid: accountId,
        part: folder,
        kind: 'console_disk' as const,
        isProblem: true,
        since: null,
        measured: percent,
        value: Math.round(percent * 10) / 10,
      }),
    );
  },
};
