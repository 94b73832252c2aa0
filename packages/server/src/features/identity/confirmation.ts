import type { PersonKey } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { verifyPassword } from '../../platform/crypto/password.ts';
import type { Database } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { createGuessSlots } from '../../platform/guesses/index.ts';
import { checkInBoth, confirmationGuesses, factorGuesses, forgetFactorGuesses, refusedGuess } from './guesses.ts';
import { personOf } from './people.ts';
import { takeSecondFactor } from './second-factor.ts';

type Secret = { password: string } | { code: string };

export function createConfirmation(deps: { database: Database; clock: Clock; keys: AccountKeys }) {
  const { database, clock, keys } = deps;
  const slots = createGuessSlots(deps);

  /**
   * Locks after five wrong secrets.
   * @returns the kind of secret @throws Failure wrongPassword, wrongSecondFactor, accountLocked, tooManyRequests
   */
  return async (user: PersonKey, sessionId: string, secret: Secret): Promise<'password' | 'totp' | 'recovery'> => {
    const here = confirmationGuesses(sessionId);
    if ('password' in secret) {
      const { password_hash: hash } = await database.withSystem((tx) => personOf(tx, user));
      const done = await slots.check({ ...here, forgets: true }, async () =>
        (await verifyPassword(hash, secret.password)) ? ('password' as const) : null,
      );
      if (done.outcome === 'right') return done.value;
      throw refusedGuess(done, clock.now());
    }
    const done = await checkInBoth(slots, [factorGuesses(user.personId), here], () =>
      database.withSystem(async (tx) => {
        const factor = await takeSecondFactor(tx, keys, user, secret.code, clock.now());
        if (factor) await forgetFactorGuesses(tx, user.personId);
        return factor;
      }),
    );
    if (done.outcome === 'right') return done.value;
    const failure = refusedGuess(done, clock.now());
    throw failure.code === 'wrongPassword' ? new Failure('wrongSecondFactor', { data: failure.data }) : failure;
  };
}
