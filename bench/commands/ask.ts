import { type Bus, BusTimeout } from '../../packages/server/src/platform/bus/index.ts';
import { pause } from '../lib/stats.ts';

/** What to ask whom, and how often. */
export interface Measurement {
  accountId: string;
  serial: string;
  count: number;
  /** Between two, milliseconds. */
  gap: number;
}

/** A program that has more to do than it can does not hold the bench up for longer than this, milliseconds. */
const patience = 20_000;
/** A command that is not answered by then counts as this long, milliseconds. */
const most = 25_000;

/**
 * Round trips of a command in milliseconds, from the request on the bus to its answer, without what the device itself
 * took: it says that in its reply.
 */
export async function askDevice(bus: Bus, { accountId, serial, count, gap }: Measurement): Promise<number[]> {
  const times: number[] = [];
  const deadline = performance.now() + patience;
  for (let at = 0; at < count && performance.now() < deadline; at += 1) {
    const began = performance.now();
    const result = await bus
      .request(
        `dev.${accountId}.${serial}.rpc`,
        { method: 'event', params: { types: ['ssh'] }, timeoutMs: 20_000 },
        most,
      )
      .catch((error: unknown) => {
        if (error instanceof BusTimeout) return null;
        throw error;
      });
    if (result === null) return [...times, most];
    times.push(performance.now() - began - (result as { spentMs: number }).spentMs);
    await pause(gap);
  }
  return times;
}
