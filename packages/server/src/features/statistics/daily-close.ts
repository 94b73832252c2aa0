import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';
import { closedHours } from '../../telemetry/read/index.ts';
import { accountsWithOpenDays, closeUplinkDays } from '../../telemetry/uplink-days.ts';
import { accounts } from '../identity/index.ts';

/** Reports may be late; days close then. */
const lateHours = 6;

/** Closes days, from which the home page sums months. */
export function createClosing({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
  return async (): Promise<void> => {
    const open = await database.withSystem(async (tx) => {
      const { to } = await closedHours(tx, 1, clock.now());
      const until = new Date(to.getTime() - lateHours * 3_600_000);
      return accountsWithOpenDays(tx, await accounts.accountZones(tx), until);
    });
    for (const account of open) {
      // per account, to keep progress
      await database.withSystem((tx) => closeUplinkDays(tx, account));
    }
    if (open.length > 0) log.info({ accounts: open.length }, 'days of uplink flow closed');
  };
}
