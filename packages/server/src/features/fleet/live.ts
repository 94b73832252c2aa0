import type { LiveFact } from '@yunxun/contract';
import type { Bus } from '../../platform/bus/index.ts';
import { afterCommit, type Tx } from '../../platform/database/index.ts';

/** Tells the account's open pages, once the transaction is committed. */
export function announce(tx: Tx, bus: Bus, accountId: string, fact: LiveFact): void {
  afterCommit(tx, () => bus.publish(`live.${accountId}`, fact));
}
