import type { AlarmFact } from '@yunxun/contract';
import type { Bus } from '../../platform/bus/index.ts';
import { afterCommit, type Tx } from '../../platform/database/index.ts';
import { networkAt } from './account-place.ts';

/** @param places networks, or the account's own */
export function announceAlarms(tx: Tx, bus: Bus, accountId: string, places: Iterable<string | null>): void {
  for (const gwid of new Set([...places].map((place) => place && networkAt(accountId, place)))) {
    const fact: AlarmFact = { type: 'alarm', gwid };
    afterCommit(tx, () => bus.publish(`live.${accountId}`, fact));
  }
}
