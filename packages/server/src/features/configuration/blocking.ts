import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { type AccessPoint, accessPoints } from '../fleet/names.ts';
import { configuredNetworks } from './intent-store.ts';
import type { Rollout } from './rollout.ts';

/** Where the list of blocked terminals is in force. */
export interface BlockingReach {
  /** Access points that this console configures, and those of them that run what is wanted. */
  managed: number;
  inForce: number;
  /** Access points that this console does not configure. */
  unmanaged: number;
}

/** Brings the list of blocked terminals to access points. What this console does not configure is left as it is. */
export function createBlocking({ clock, rollout }: { clock: Clock; rollout: Rollout }) {
  async function managed(tx: Tx, accountId: string) {
    const all = await accessPoints(tx, accountId, clock.now());
    const configured = new Set(await configuredNetworks(tx, accountId));
    const isManaged = ({ gwid, sync }: AccessPoint) => sync !== null || (gwid !== null && configured.has(gwid));
    return { all, devices: all.filter(isManaged) };
  }

  return {
    /** A job that pushes the list as it is by then to every managed access point. @returns its id; null when there is none */
    async push(tx: Tx, acting: Acting): Promise<string | null> {
      const { devices } = await managed(tx, acting.accountId);
      const author = acting.actor?.name ?? acting.source;
      return rollout.later(tx, acting, devices, { cause: 'users_listed', author });
    },

    async reach(tx: Tx, accountId: string): Promise<BlockingReach> {
      const { all, devices } = await managed(tx, accountId);
      const inForce = devices.filter(({ sync }) => sync === 'in_sync').length;
      return { managed: devices.length, inForce, unmanaged: all.length - devices.length };
    },
  };
}
