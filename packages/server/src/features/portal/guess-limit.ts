import type { Database } from '../../platform/database/index.ts';
import { addressKey } from '../../platform/http/address.ts';
import { countDown, countUp } from '../identity/throttle.ts';
import { Refused } from './refused.ts';
import { smsBudget } from './sms.ts';
import type { SiteKey } from './visit-store.ts';

/**
 * In ten minutes. Verified devices count alone; others share a count per network and source address, because nothing
 * else is certain.
 */
export const guessLimits = { device: 10, address: 60, minutes: 10 } as const;

export interface Guesser {
  site: SiteKey;
  device: Buffer | null;
  ip: string;
}

const keyOf = ({ site, device, ip }: Guesser) =>
  `portal:${site.gwid}:${device ? device.toString('hex').slice(0, 32) : addressKey(ip)}`;

const codeKeyOf = (guesser: Guesser) => `${keyOf(guesser)}:sms`;

const hourMs = 3_600_000;

export function createGuessLimit(database: Database) {
  const giveBack = (guesser: Guesser, now: Date) => database.withSystem((tx) => countDown(tx, keyOf(guesser), now));
  return {
    /** Counts before the check: concurrent guesses pass no limit; a right one is given back. */
    async take(guesser: Guesser, now: Date): Promise<Refused | null> {
      const until = new Date(now.getTime() + guessLimits.minutes * 60_000);
      const { count, expiresAt } = await database.withSystem((tx) => countUp(tx, keyOf(guesser), now, until));
      if (count <= (guesser.device ? guessLimits.device : guessLimits.address)) return null;
      await giveBack(guesser, now);
      return new Refused('too_many', { seconds: Math.ceil((expiresAt.getTime() - now.getTime()) / 1000) });
    },
    giveBack,
    /** Counts a code that a verified device asks for. */
    async takeCode(guesser: Guesser, now: Date): Promise<Refused | null> {
      if (!guesser.device) return null;
      const until = new Date(now.getTime() + hourMs);
      const { count } = await database.withSystem((tx) => countUp(tx, codeKeyOf(guesser), now, until));
      return count > smsBudget.device ? new Refused('sms_budget') : null;
    },
    /** Gives back an unsent code. */
    giveBackCode: (guesser: Guesser, now: Date) => database.withSystem((tx) => countDown(tx, codeKeyOf(guesser), now)),
  };
}
