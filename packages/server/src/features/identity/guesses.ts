import { limits } from '@yunxun/contract';
import { sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { addressKey } from '../../platform/http/address.ts';
import type { IdentityTables } from './tables.ts';
import { type Count, countUp, reset } from './throttle.ts';

/** What wrong passwords are counted by: the login name, from one address. */
function keyOf(login: string, ip: string): string {
  return `login:${login.toLowerCase()}:${addressKey(ip)}`;
}

/** Counts a guess, before it is looked at: many guesses at the same moment are many guesses. */
export function countGuess(tx: Tx, login: string, ip: string, now: Date): Promise<Count> {
  return countUp(tx, keyOf(login, ip), now, new Date(now.getTime() + limits.lockMinutes * 60_000));
}

/** Forgets the guesses: whoever made them knows the password. */
export function forgetGuesses(tx: Tx, login: string, ip: string): Promise<void> {
  return reset(tx, keyOf(login, ip));
}

/** Forgets the guesses at some login names from everywhere: their person has shown to have the e-mail or mobile. */
export async function forgetAllGuesses(tx: Tx, logins: readonly string[]): Promise<void> {
  for (const login of logins) {
    await tables<IdentityTables>(tx)
      .deleteFrom('throttle')
      .where(sql<boolean>`starts_with(key, ${`login:${login.toLowerCase()}:`})`)
      .execute();
  }
}

/** Takes one guess back: a right code is no wrong guess, but tells nothing of who made the others. */
export function takeBackGuess(tx: Tx, login: string, ip: string): Promise<void> {
  return takeBack(tx, keyOf(login, ip));
}

/**
 * Counts a guess of somebody who is signed in and asked to confirm it. It has a counter of its own, by session: whoever
 * knows no more than the login name cannot keep its person from it.
 */
export function countConfirmation(tx: Tx, sessionId: string, now: Date): Promise<Count> {
  return countUp(tx, `confirm:${sessionId}`, now, new Date(now.getTime() + limits.lockMinutes * 60_000));
}

/** Forgets a session's guesses: whoever sits at it knows the password. */
export function forgetConfirmations(tx: Tx, sessionId: string): Promise<void> {
  return reset(tx, `confirm:${sessionId}`);
}

/** Takes one guess of a session back: a right code is no wrong guess. */
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

/** Wrong second factors of a person in an hour, from all addresses together. */
const factorGuesses = 20;

/**
 * Counts a guess at a person's second factor, wherever it comes from: who knows the password may have many addresses.
 * Only they can make these guesses, so strangers cannot lock anybody out by it.
 * @returns the count, to be asked with `isLocked` like the other
 */
export async function countFactorGuess(tx: Tx, personId: string, now: Date): Promise<Count> {
  const made = await countUp(tx, `factor:${personId}`, now, new Date(now.getTime() + 3_600_000));
  return made.count > factorGuesses ? { ...made, count: limits.wrongPasswords + 1 } : { ...made, count: 0 };
}

/** Takes one guess at a person's second factor back: it was not looked at. */
export function takeBackFactorGuess(tx: Tx, personId: string): Promise<void> {
  return takeBack(tx, `factor:${personId}`);
}

/** Forgets the guesses at a person's second factor. */
export function forgetFactorGuesses(tx: Tx, personId: string): Promise<void> {
  return reset(tx, `factor:${personId}`);
}

/** As much work as writing down a known person's wrong guess: how long an answer takes tells nobody who is known here. */
export async function passTime(tx: Tx, login: string, ip: string, now: Date): Promise<void> {
  await countUp(tx, `nobody:${login}:${addressKey(ip)}`, now, new Date(now.getTime() + limits.lockMinutes * 60_000));
}

/** Whether this guess was one too many, so that it is not looked at. */
export function isLocked({ count }: Count): boolean {
  return count > limits.wrongPasswords;
}

/** What a wrong guess is answered: how many are left, or for how many minutes there are none. */
export function wrongGuess(guess: Count, now: Date): Failure {
  const left = limits.wrongPasswords - guess.count;
  if (left > 0) return new Failure('wrongPassword', { data: { left } });
  const minutes = Math.max(1, Math.ceil((guess.expiresAt.getTime() - now.getTime()) / 60_000));
  return new Failure('accountLocked', { data: { minutes }, params: { minutes } });
}
