import { asList, asNumber, asRecord, asTexts, deviceLimits } from '@yunxun/contract/device';

/** The reports a configuration asks for. Intervals in milliseconds; null: not asked for. */
export interface Metrics {
  stateEvery: number | null;
  healthEvery: number | null;
  scanEvery: number | null;
  /** Sections of the state: `ssids`, `lldp`, `clients`, `tid-stats`. */
  stateTypes: ReadonlySet<string>;
  /** Groups of events to send at once. */
  realtime: ReadonlySet<string>;
  /** Periodic telemetry. */
  telemetry: { every: number; types: readonly string[] } | null;
}

/** Reads `metrics` of a configuration; intervals below the schema's minimum count as the minimum. */
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
