import { Gauge } from 'prom-client';
import type { Metrics } from '../metrics.ts';
import type { Database } from './index.ts';

export function watchPools({ appPool, systemPool }: Pick<Database, 'appPool' | 'systemPool'>, registry: Metrics): void {
  const pools = { app: appPool, system: systemPool };
  const gauge = (name: string, help: string, value: (pool: typeof appPool) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, one] of Object.entries(pools)) this.set({ pool }, value(one));
      },
    });
  gauge('yunxun_database_waiting', 'Work that waits for a connection, by pool', (pool) => pool.waitingCount);
  gauge('yunxun_database_busy', 'Connections in use, by pool', (pool) => pool.totalCount - pool.idleCount);
}
