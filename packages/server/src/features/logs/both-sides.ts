import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { type Operation, record } from './audit.ts';

/** Logs in two accounts in a fixed order, to prevent deadlocks. */
export async function recordBoth(tx: Tx, sides: readonly [Acting, Operation][]): Promise<void> {
  const ordered = [...sides].sort(([a], [b]) => (a.accountId < b.accountId ? -1 : 1));
  for (const [acting, operation] of ordered) await record(tx, acting, operation);
}
