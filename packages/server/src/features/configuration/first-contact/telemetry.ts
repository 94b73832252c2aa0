import { asList, isRecord } from '@yunxun/contract/device';
import type { UcentralDocument } from '../compile/index.ts';
import { accessPointMetrics } from '../compile/metrics.ts';

const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
const union = (own: unknown, added: readonly string[]) => [
  ...new Set([...asList(own).filter((type): type is string => typeof type === 'string'), ...added]),
];

export function withTelemetry(document: UcentralDocument): UcentralDocument {
  const own = record(document.metrics);
  const { statistics, health, realtime } = accessPointMetrics;
  return {
    ...document,
    metrics: {
      ...own,
      statistics: {
        ...record(own.statistics),
        interval: statistics.interval,
        types: union(record(own.statistics).types, statistics.types),
      },
      health: { ...record(own.health), interval: health.interval },
      realtime: { ...record(own.realtime), types: union(record(own.realtime).types, realtime.types) },
    },
  };
}
