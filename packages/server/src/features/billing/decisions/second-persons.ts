import type { Tx } from '../../../platform/database/index.ts';
import { decidersOf } from '../../identity/rights.ts';
import type { Decision } from './tables.ts';

/** Milliseconds until the installation's administrator may stand in for a second person who is gone. */
export const standInAfterMs = 72 * 3_600_000;

/** Whether a person may confirm: could decide when it was asked for, and did not ask. */
export function mayConfirm({ asked_by, deciders }: Decision, personId: string | null): boolean {
  return asked_by !== personId && (deciders === null || (personId !== null && deciders.includes(personId)));
}

/** Returns whether nobody is left in the account who may confirm; a person need not agree to their own removal. */
export async function isOrphaned(tx: Tx, row: Decision): Promise<boolean> {
  const left = await decidersOf(tx, row.account_id);
  return !left.some((id) => id !== row.object && mayConfirm(row, id));
}

export const standInAt = ({ asked_at }: Decision) => new Date(asked_at.getTime() + standInAfterMs);
