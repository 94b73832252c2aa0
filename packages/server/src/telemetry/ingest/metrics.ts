import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from '../../platform/metrics.ts';

export function ingestMetrics(registry: Metrics) {
  const registers = [registry];
  return {
    shed: new Counter({
      name: 'yunxun_state_messages_shed_total',
      help: 'State reports that were given up for newer ones because too many waited',
      registers,
    }),
    refused: new Counter({
      name: 'yunxun_telemetry_refused_full_total',
      help: 'Reports and events that were not taken because the disk is full',
      registers,
    }),
    seconds: new Histogram({
      name: 'yunxun_state_flush_seconds',
      help: 'Duration of a batch of reports, commit included',
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
      registers,
    }),
    messages: new Histogram({
      name: 'yunxun_telemetry_batch_messages',
      help: 'Reports and events in a batch',
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      registers,
    }),
    stages: new Counter({
      name: 'yunxun_telemetry_stage_seconds_total',
      help: 'Time that batches of reports spent, by stage',
      labelNames: ['stage'],
      registers,
    }),
    clamped: new Counter({
      name: 'yunxun_telemetry_clamped_total',
      help: 'Values and entries of reports that cannot be, and were left out',
      registers,
    }),
    held: new Gauge({
      name: 'yunxun_telemetry_memory_bytes',
      help: 'What the ingest thread holds: of its heap (used, total), and outside of it',
      labelNames: ['kind'],
      registers,
    }),
    restarts: new Counter({
      name: 'yunxun_telemetry_restarts_total',
      help: 'Ingest threads that ended and were replaced',
      registers,
    }),
  };
}
