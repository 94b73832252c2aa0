import { type Bus, BusTimeout } from '../../packages/server/src/platform/bus/index.ts';
import { pause } from '../lib/stats.ts';

export interface Measurement {
  accountId: string;
  serial: string;
  count: number;
  /** Interval in milliseconds. */
  gap: number;
}

const timeout = 20_000;
/** Value for an unanswered command, in milliseconds. */
const max = 25_000;

export async function askDevice(bus: Bus, { accountId, serial, count, gap }: Measurement): Promise<number[]> {
  const times: number[] = [];
  const deadline = performance.now() + timeout;
  for (let at = 0; at < count && performance.now() < deadline; at += 1) {
    const began = performance.now();
    const result = await bus
      .request(
        `dev.${accountId}.${serial}.rpc`,
        { method: 'event', params: { types: ['ssh'] }, timeoutMs: 20_000 },
        max,
      )
      .catch((error: unknown) => {
        if (error instanceof BusTimeout) return null;
        throw error;
      });
    if (result === null) return [...times, max];
    times.push(performance.now() - began - (result as { spentMs: number }).spentMs);
    await pause(gap);
  }
  return times;
}
