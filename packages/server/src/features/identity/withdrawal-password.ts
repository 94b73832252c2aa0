import type { PersonKey } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { verifyPassword } from '../../platform/crypto/password.ts';
import type { Database } from '../../platform/database/index.ts';
import { invalid } from '../../platform/failure.ts';
import { createGuessSlots } from '../../platform/guesses/index.ts';
import { refusedGuess, withdrawalGuesses } from './guesses.ts';
import { personOf } from './people.ts';

export function createWithdrawalProof(deps: { database: Database; clock: Clock }) {
  const { database, clock } = deps;
  const slots = createGuessSlots(deps);
  /**
   * @throws Invalid at `withdrawal_password` if none is set; Failure wrongPassword, accountLocked after five wrong ones,
   * tooManyRequests
   */
  return async (person: PersonKey, password: string): Promise<void> => {
    const { withdrawal_hash: hash } = await database.withSystem((tx) => personOf(tx, person));
    if (hash === null) invalid('withdrawal_password', 'validation.withdrawalPasswordUnset');
    const guess = { ...withdrawalGuesses(person.personId), forgets: true };
    const done = await slots.check(guess, async () => ((await verifyPassword(hash, password)) ? true : null));
    if (done.outcome !== 'right') throw refusedGuess(done, clock.now());
  };
}
