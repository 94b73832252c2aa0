import { edgeFlowMostRows } from '@yunxun/contract/device';
import { LRUCache } from 'lru-cache';

/** Rows a minute that a device may bring for ever: a message a minute of the longest kind, as the agent makes them at most. */
const rowsPerMinute = edgeFlowMostRows;
/** Rows that it may bring at once after a pause: half an hour of such messages that waited for the console. */
const burst = 30 * edgeFlowMostRows;
/** A message counts as so many rows, however short it is: that is what its transaction costs. */
const leastCost = edgeFlowMostRows / 4;
const minute = 60_000;

/**
 * How much flow each device may write into tables that everybody shares. What is not allowed is not taken: the device keeps
 * it, puts rows of the same quarter together meanwhile, and brings it again. Counted per process, for the 10,000 devices
 * that brought some last.
 */
export interface FlowAllowance {
  /** Whether a message of so many rows may be taken now; it is counted when it may. */
  takes(serial: string, rows: number, at: Date): boolean;
}

/** Every device begins with a whole burst. */
export function createFlowAllowance(): FlowAllowance {
  const devices = new LRUCache<string, { left: number; at: number }>({ max: 10_000 });
  return {
    takes(serial, rows, at) {
      const now = at.getTime();
      const known = devices.get(serial) ?? { left: burst, at: now };
      const left = Math.min(burst, known.left + (Math.max(0, now - known.at) / minute) * rowsPerMinute);
      const cost = Math.max(leastCost, rows);
      const allowed = cost <= left;
      devices.set(serial, { left: allowed ? left - cost : left, at: now });
      return allowed;
    },
  };
}
