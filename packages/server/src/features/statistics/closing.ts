import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';
import { closedHours } from '../../telemetry/read/index.ts';
import { accountsWithOpenDays, closeUplinkDays } from '../../telemetry/uplink-days.ts';
import { accountZones } from '../identity/accounts.ts';

/** Hours that reports may come late; a day is closed so long after its end. */
const lateHours = 6;

/** Closes the days of every account that have ended: what the home page sums over months is read from closed days. */
export function createClosing({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
  return async (): Promise<void> => {
    const open = await database.withSystem(async (tx) => {
      const { to } = await closedHours(tx, 1, clock.now());
      const until = new Date(to.getTime() - lateHours * 3_600_000);
      return accountsWithOpenDays(tx, await accountZones(tx), until);
    });
    for (const account of open) {
      // a transaction each: what is done stays done
      await database.withSystem((tx) => closeUplinkDays(tx, account));
    }
    if (open.length > 0) log.info({ accounts: open.length }, 'days of uplink flow closed');
  };
}
