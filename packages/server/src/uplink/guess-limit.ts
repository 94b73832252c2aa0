import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import { addressKey } from '../platform/http/address.ts';

/** Per address; valid codes do not count, so that a site can enrol at once. */
const wrongCodesPerMinute = 20;
const windowMs = 60_000;

/** Per process, for the 10,000 latest addresses. */
export interface GuessLimit {
  /** @throws Failure tooManyRequests */
  check(address: string): void;
  wrong(address: string): void;
}

export function createGuessLimit(clock: Clock): GuessLimit {
  const seen = new LRUCache<string, { count: number; until: number }>({ max: 10_000 });
  const current = (address: string) => {
    const entry = seen.get(addressKey(address));
    return entry && entry.until > clock.now().getTime() ? entry : null;
  };
  return {
    check(address) {
      const entry = current(address);
      if (!entry || entry.count < wrongCodesPerMinute) return;
      throw new Failure('tooManyRequests', {
        params: { seconds: Math.ceil((entry.until - clock.now().getTime()) / 1000) },
      });
    },
    wrong(address) {
      const entry = current(address);
      if (entry) entry.count += 1;
      else seen.set(addressKey(address), { count: 1, until: clock.now().getTime() + windowMs });
    },
  };
}
