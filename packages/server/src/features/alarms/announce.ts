import type { AlarmFact } from '@yunxun/contract';
import type { Bus } from '../../platform/bus/index.ts';
import { afterCommit, type Tx } from '../../platform/database/index.ts';

export function announceAlarms(tx: Tx, bus: Bus, accountId: string, gwids: Iterable<string>): void {
  for (const gwid of new Set(gwids)) {
    const fact: AlarmFact = { type: 'alarm', gwid };
    afterCommit(tx, () => bus.publish(`live.${accountId}`, fact));
  }
}
