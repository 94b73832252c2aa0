import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';

/** Checks a second, each some 10 µs; twice as many after a pause. */
const perSecond = { address: 2000, all: 20_000 } as const;
const maxAddresses = 20_000;

interface Bucket {
  at: number;
  left: number;
}

/** An address spends its own part only. */
export function createCheckBudget(clock: Clock) {
  const addresses = boundedCache<Bucket>(maxAddresses);
  const all: Bucket = { at: clock.now().getTime(), left: 2 * perSecond.all };

  function fill(bucket: Bucket, rate: number): void {
    const now = clock.now().getTime();
    bucket.left = Math.min(2 * rate, bucket.left + (Math.max(0, now - bucket.at) * rate) / 1000);
    bucket.at = now;
  }

  return {
    take(address: string, wanted: number): number {
      const own = addresses.get(address) ?? { at: 0, left: 0 };
      addresses.set(address, own);
      fill(own, perSecond.address);
      fill(all, perSecond.all);
      const count = Math.floor(Math.min(wanted, own.left, all.left));
      own.left -= count;
      all.left -= count;
      return count;
    },
  };
}
