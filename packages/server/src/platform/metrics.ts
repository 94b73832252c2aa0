import { collectDefaultMetrics, Registry } from 'prom-client';

/** One registry per program, so that tests which start several do not collide. */
export type Metrics = Registry;

/** A registry; with `processMetrics` the default ones of the process (memory, event loop, CPU) too. */
export function createMetrics(processMetrics = false): Metrics {
  const registry = new Registry();
  if (processMetrics) collectDefaultMetrics({ register: registry });
  return registry;
}
