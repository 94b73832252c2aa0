import { asList, asNumber, asRecord, asTexts, deviceLimits } from '@yunxun/contract/device';

/** Milliseconds; null: disabled. */
export interface Metrics {
  stateEvery: number | null;
  healthEvery: number | null;
  scanEvery: number | null;
  stateTypes: ReadonlySet<string>;
  realtime: ReadonlySet<string>;
  telemetry: { every: number; types: readonly string[] } | null;
}

export function readMetrics(document: Record<string, unknown>): Metrics {
  const metrics = asRecord(document.metrics);
  const statistics = asRecord(metrics.statistics);
  const telemetry = asRecord(metrics.telemetry);
  const every = asNumber(telemetry.interval);
  return {
    stateEvery: interval(statistics.interval),
    healthEvery: interval(asRecord(metrics.health).interval),
    scanEvery: interval(asRecord(metrics['wifi-scan']).interval),
    stateTypes: new Set(asTexts(statistics.types)),
    realtime: new Set(asTexts(asRecord(metrics.realtime).types)),
    telemetry: every !== null && every > 0 ? { every: every * 1000, types: asTexts(asList(telemetry.types)) } : null,
  };
}

function interval(value: unknown): number | null {
  const seconds = asNumber(value);
  return seconds === null || seconds <= 0 ? null : Math.max(seconds * 1000, deviceLimits.reportInterval);
}
