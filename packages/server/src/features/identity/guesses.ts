import { limits } from '@yunxun/contract';
import { sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { addressKey } from '../../platform/http/address.ts';
import type { IdentityTables } from './tables.ts';
import { type Count, countUp, reset } from './throttle.ts';

function keyOf(login: string, ip: string): string {
  return `login:${login.toLowerCase()}:${addressKey(ip)}`;
}

/** Counts before the check: concurrent guesses cannot exceed the limit. */
export function countGuess(tx: Tx, login: string, ip: string, now: Date): Promise<Count> {
  return countUp(tx, keyOf(login, ip), now, new Date(now.getTime() + limits.lockMinutes * 60_000));
}

export function forgetGuesses(tx: Tx, login: string, ip: string): Promise<void> {
  return reset(tx, keyOf(login, ip));
}

/** Covers all addresses, after proof of the login. */
export async function forgetAllGuesses(tx: Tx, logins: readonly string[]): Promise<void> {
  for (const login of logins) {
    await tables<IdentityTables>(tx)
      .deleteFrom('throttle')
      .where(sql<boolean>`starts_with(key, ${`login:${login.toLowerCase()}:`})`)
      .execute();
  }
}

/** Keeps earlier guesses. */
export function takeBackGuess(tx: Tx, login: string, ip: string): Promise<void> {
  return takeBack(tx, keyOf(login, ip));
}

/** Counts per session: knowing the login must not lock the person out. */
export function countConfirmation(tx: Tx, sessionId: string, now: Date): Promise<Count> {
  return countUp(tx, `confirm:${sessionId}`, now, new Date(now.getTime() + limits.lockMinutes * 60_000));
}

export function forgetConfirmations(tx: Tx, sessionId: string): Promise<void> {
  return reset(tx, `confirm:${sessionId}`);
}

export function takeBackConfirmation(tx: Tx, sessionId: string): Promise<void> {
  return takeBack(tx, `confirm:${sessionId}`);
}

async function takeBack(tx: Tx, key: string): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('throttle')
    .set({ count: sql`count - 1` })
    .where('key', '=', key)
    .where('count', '>', 0)
    .execute();
}

/** Per person and hour. */
const factorGuesses = 20;

/**
 * Counts over all addresses, of which an attacker with the password may use many. Needs the password: strangers cannot
 * lock a person out.
 * @returns the count for `isLocked`
 */
export async function countFactorGuess(tx: Tx, personId: string, now: Date): Promise<Count> {
  const made = await countUp(tx, `factor:${personId}`, now, new Date(now.getTime() + 3_600_000));
  return made.count > factorGuesses ? { ...made, count: limits.wrongPasswords + 1 } : { ...made, count: 0 };
}

export function takeBackFactorGuess(tx: Tx, personId: string): Promise<void> {
  return takeBack(tx, `factor:${personId}`);
}

export function forgetFactorGuesses(tx: Tx, personId: string): Promise<void> {
  return reset(tx, `factor:${personId}`);
}

/** Takes as long as for a known person: timing must not reveal logins. */
export async function passTime(tx: Tx, login: string, ip: string, now: Date): Promise<void> {
  await countUp(tx, `nobody:${login}:${addressKey(ip)}`, now, new Date(now.getTime() + limits.lockMinutes * 60_000));
}

export function isLocked({ count }: Count): boolean {
  return count > limits.wrongPasswords;
}

export function wrongGuess(guess: Count, now: Date): Failure {
  const left = limits.wrongPasswords - guess.count;
  if (left > 0) return new Failure('wrongPassword', { data: { left } });
  const minutes = Math.max(1, Math.ceil((guess.expiresAt.getTime() - now.getTime()) / 60_000));
  return new Failure('accountLocked', { data: { minutes }, params: { minutes } });
}
