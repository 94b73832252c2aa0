import type { ClientsFact } from '@yunxun/contract';
import type { Bus } from '../../platform/bus/index.ts';
import type { ChangedNetwork } from './messages.ts';

/** Milliseconds between facts of a network. */
const leastMs = 500;

/** Publishes at once, then at most one fact per network and `leastMs`, against storms of joins. */
export function createClientFacts(bus: Pick<Bus, 'publish'>) {
  /** Announced less than `leastMs` ago. `again`: changed since. */
  const resting = new Map<string, { timer: NodeJS.Timeout; again: boolean }>();
  let stopped = false;

  function announce(network: ChangedNetwork): void {
    const { accountId, gwid } = network;
    bus.publish(`live.${accountId}`, { type: 'clients', gwid } satisfies ClientsFact);
    const timer = setTimeout(() => {
      const again = resting.get(gwid)?.again;
      resting.delete(gwid);
      if (again && !stopped) announce(network);
    }, leastMs);
    resting.set(gwid, { timer: timer.unref(), again: false });
  }

  return {
    changed(networks: readonly ChangedNetwork[]): void {
      for (const network of stopped ? [] : networks) {
        const rest = resting.get(network.gwid);
        if (rest) rest.again = true;
        else announce(network);
      }
    },
    stop(): void {
      stopped = true;
      for (const { timer } of resting.values()) clearTimeout(timer);
      resting.clear();
    },
  };
}
