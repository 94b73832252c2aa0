import { collectDefaultMetrics, Registry } from 'prom-client';

/** One per program: tests start several. */
export type Metrics = Registry;

export function createMetrics(processMetrics = false): Metrics {
  const registry = new Registry();
  if (processMetrics) collectDefaultMetrics({ register: registry });
  return registry;
}
