import { edgeFlowMaxRows } from '@yunxun/contract/device';
import { boundedCache } from '../platform/bounded-cache.ts';

/** Sustained: one full message a minute, as the agent sends. */
const rowsPerMinute = edgeFlowMaxRows;
/** Half an hour of messages, queued during an outage. */
const burst = 30 * edgeFlowMaxRows;
/** Minimum cost of a message: its transaction. */
const leastCost = edgeFlowMaxRows / 4;
const minute = 60_000;

/**
 * Limits rows per device in shared tables; the device merges refused rows and retries. Per process, for the 10,000 most
 * recent devices.
 */
export interface FlowAllowance {
  takes(serial: string, rows: number, at: Date): boolean;
}

export function createFlowAllowance(): FlowAllowance {
  const devices = boundedCache<{ left: number; at: number }>(10_000);
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
