import type { fleetTools as contract, DataOf } from '@yunxun/contract';
import { asCount, asNumber, asRecord, type EdgeThroughputResult } from '@yunxun/contract/device';

export type Throughput = NonNullable<DataOf<typeof contract.toolDetail>['throughput']>;

export function readThroughput(value: unknown): Throughput['up'] {
  const { mbps, retransmits, loss_pct, jitter_ms } = asRecord<EdgeThroughputResult>(value);
  const rate = asNumber(mbps);
  if (rate === null) return null;
  return {
    mbps: rate,
    retransmits: asCount(retransmits),
    loss_pct: asNumber(loss_pct),
    jitter_ms: asNumber(jitter_ms),
  };
}
