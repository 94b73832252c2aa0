import type { Acting } from '../../../platform/acting.ts';
import { timeText } from '../../../platform/calendar.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { members, people } from '../../identity/index.ts';
import type { Decision } from './tables.ts';

export const standInAfterMs = 72 * 3_600_000;

/** Excludes the requester and later deciders. */
export function mayConfirm({ asked_by, deciders }: Decision, personId: string | null): boolean {
  return asked_by !== personId && (deciders === null || (personId !== null && deciders.includes(personId)));
}

/** Consent to the own removal is not needed. */
export async function isOrphaned(tx: Tx, row: Decision): Promise<boolean> {
  const left = await members.decidersOf(tx, row.account_id);
  return !left.some((id) => id !== row.object && mayConfirm(row, id));
}

export const standInAt = ({ asked_at }: Decision) => new Date(asked_at.getTime() + standInAfterMs);

/** Returns the time in the caller's zone. System role. */
export async function timeFor(tx: Tx, { actor, accountId }: Acting, at: Date): Promise<string> {
  const person = { accountId: actor!.homeAccountId, personId: actor!.userId };
  return timeText(at, await people.timeZoneOf(tx, person, accountId), 'second');
}
