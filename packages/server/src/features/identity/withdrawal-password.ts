import { limits } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import { verifyPassword } from '../../platform/crypto/password.ts';
import type { Database } from '../../platform/database/index.ts';
import { invalid } from '../../platform/failure.ts';
import { isLocked, wrongGuess } from './guesses.ts';
import { personOf } from './people.ts';
import type { PersonKey } from './person-key.ts';
import { countUp, reset } from './throttle.ts';

/**
 * Counts each try before the comparison.
 * @throws Invalid at `withdrawal_password` if none is set; Failure wrongPassword, accountLocked after five wrong ones
 */
export async function proveWithdrawalPassword(
  { database, clock }: { database: Database; clock: Clock },
  person: PersonKey,
  password: string,
): Promise<void> {
  const now = clock.now();
  const key = `withdrawal:${person.personId}`;
  const { hash, guess } = await database.withSystem(async (tx) => {
    const { withdrawal_hash } = await personOf(tx, person);
    if (withdrawal_hash === null) invalid('withdrawal_password', 'validation.withdrawalPasswordUnset');
    const until = new Date(now.getTime() + limits.lockMinutes * 60_000);
    return { hash: withdrawal_hash, guess: await countUp(tx, key, now, until) };
  });
  if (isLocked(guess) || !(await verifyPassword(hash, password))) throw wrongGuess(guess, now);
  await database.withSystem((tx) => reset(tx, key));
}
