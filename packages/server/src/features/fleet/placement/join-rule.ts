import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { accounts, sessions } from '../../identity/index.ts';
import { isOnlineFrom, type NetworkRecord } from '../device-store.ts';

/** Confirmed devices receive the settings. */
export type HasSettings = (tx: Tx, accountId: string, gwid: string) => Promise<boolean>;

/** Milliseconds after the session's last use. */
const sessionCountsFor = 12 * 60 * 60 * 1000;

export type JoinRules = ReturnType<typeof createJoinRules>;

/**
 * Decides which devices join and which are confirmed without a click. Only confirmed devices get settings, Wi-Fi keys
 * included. A confirmed online device also lets others at its address be confirmed. System role.
 */
export function createJoinRules({ clock, hasSettings }: { clock: Clock; hasSettings: HasSettings }) {
  const signedIn = (tx: Tx, accountId: string, address: string) =>
    sessions.isSignedInFrom(tx, accountId, address, new Date(clock.now().getTime() - sessionCountsFor));

  async function ruleOf(tx: Tx, { account_id: accountId, join_rule: rule }: NetworkRecord) {
    return rule === 'account' ? accountRule(tx, accountId) : rule;
  }

  return {
    async trusts(tx: Tx, network: NetworkRecord, address: string): Promise<boolean> {
      const { account_id: accountId, gwid } = network;
      const rule = await ruleOf(tx, network);
      if (rule !== 'site') return rule === 'code';
      return (await isOnlineFrom(tx, accountId, gwid, address)) || signedIn(tx, accountId, address);
    },

    /** Admits while the network has no settings to reveal. */
    async admitsUnconfirmed(tx: Tx, network: NetworkRecord): Promise<boolean> {
      if ((await ruleOf(tx, network)) === 'click') return false;
      return !(await hasSettings(tx, network.account_id, network.gwid));
    },

    /** Confirms in a network created for the device. */
    trustsNew: async (tx: Tx, accountId: string, address: string | null): Promise<boolean> =>
      address !== null && (await accountRule(tx, accountId)) === 'site' && signedIn(tx, accountId, address),
  };
}

/** Returns the rule of networks without their own. */
export async function accountRule(tx: Tx, accountId: string): Promise<'click' | 'site'> {
  return (await accounts.accountOf(tx, accountId)).trust_sites ? 'site' : 'click';
}
