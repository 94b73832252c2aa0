import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { isSignedInFrom } from '../identity/signed-in-addresses.ts';
import { isOnlineFrom, type NetworkRecord } from './device-store.ts';

/** Whether the network has settings, which a joining device would receive. */
export type HasSettings = (tx: Tx, accountId: string, gwid: string) => Promise<boolean>;

/** Milliseconds after the session's last use. */
const sessionCountsFor = 12 * 60 * 60 * 1000;

/**
 * Whether a device may join without a click. It receives the network's settings, Wi-Fi keys included. Runs with the
 * system role.
 */
export function createJoinRule({ clock, hasSettings }: { clock: Clock; hasSettings: HasSettings }) {
  return async (tx: Tx, network: NetworkRecord, address: string): Promise<boolean> => {
    const { account_id: accountId, gwid, join_rule: rule } = network;
    if (rule !== 'site') return rule === 'code';
    if (!(await hasSettings(tx, accountId, gwid))) return true;
    if (await isOnlineFrom(tx, accountId, gwid, address)) return true;
    return isSignedInFrom(tx, accountId, address, new Date(clock.now().getTime() - sessionCountsFor));
  };
}
