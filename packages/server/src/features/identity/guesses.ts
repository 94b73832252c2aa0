import { limits } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import {
  type Checked,
  type Count,
  countUp,
  type GuessLimit,
  type GuessSlots,
  resetCount,
  resetCounts,
} from '../../platform/guesses/index.ts';
import { addressKey } from '../../platform/http/address.ts';

const lockMs = limits.lockMinutes * 60_000;

function keyOf(login: string, ip: string): string {
  return `login:${login.toLowerCase()}:${addressKey(ip)}`;
}

const secretLimit = (key: string): GuessLimit => ({ key, limit: limits.wrongPasswords, windowMs: lockMs });

export const loginGuesses = (login: string, ip: string): GuessLimit => secretLimit(keyOf(login, ip));

/** Per session: knowing the login must not lock the person out. */
export const confirmationGuesses = (sessionId: string): GuessLimit => secretLimit(`confirm:${sessionId}`);

export const withdrawalGuesses = (personId: string): GuessLimit => secretLimit(`withdrawal:${personId}`);

/** Per person and hour. */
const factorLimit = 20;

/** Counts second factors over all addresses. Needs the password, so that strangers cannot lock a person out. */
export const factorGuesses = (personId: string): GuessLimit => ({
  key: `factor:${personId}`,
  limit: factorLimit,
  windowMs: 3_600_000,
});

/** A guess that the second limit refuses counts at none. */
export async function checkInBoth<T>(
  slots: GuessSlots,
  [outer, inner]: readonly [GuessLimit, GuessLimit],
  work: () => Promise<T | null>,
): Promise<Checked<T>> {
  const wrong: Checked<T>[] = [];
  const done = await slots.check(outer, async () => {
    const inside = await slots.check(inner, work);
    if (inside.outcome !== 'wrong') return inside;
    wrong.push(inside);
    return null;
  });
  if (done.outcome === 'right') return done.value;
  return wrong[0] ?? done;
}

export function forgetGuesses(tx: Tx, login: string, ip: string): Promise<void> {
  return resetCount(tx, keyOf(login, ip));
}

/** Covers all addresses, after proof of the login. */
export async function forgetAllGuesses(tx: Tx, logins: readonly string[]): Promise<void> {
  for (const login of logins) await resetCounts(tx, `login:${login.toLowerCase()}:`);
}

export function forgetFactorGuesses(tx: Tx, personId: string): Promise<void> {
  return resetCount(tx, `factor:${personId}`);
}

/** Takes as long as for a known person: timing must not reveal logins. */
export async function passTime(tx: Tx, login: string, ip: string, now: Date): Promise<void> {
  await countUp(tx, `nobody:${login}:${addressKey(ip)}`, now, new Date(now.getTime() + lockMs));
}

export function refusedGuess({ outcome, count }: Exclude<Checked<unknown>, { outcome: 'right' }>, now: Date): Failure {
  if (outcome === 'busy') return new Failure('tooManyRequests', { params: { seconds: 5 } });
  const left = limits.wrongPasswords - count.count;
  if (outcome === 'wrong' && left > 0) return new Failure('wrongPassword', { data: { left } });
  const minutes = minutesUntil(count, now);
  return new Failure('accountLocked', { data: { minutes }, params: { minutes } });
}

function minutesUntil({ expiresAt }: Count, now: Date): number {
  return Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 60_000));
}
