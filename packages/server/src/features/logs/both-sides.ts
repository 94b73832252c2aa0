import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { type Operation, record } from './audit.ts';

/** Records one doing in the logs of two accounts; always in the same order, so that two such calls never wait for each other. */
export async function recordBoth(tx: Tx, sides: readonly [Acting, Operation][]): Promise<void> {
  const ordered = [...sides].sort(([a], [b]) => (a.accountId < b.accountId ? -1 : 1));
  for (const [acting, operation] of ordered) await record(tx, acting, operation);
}
