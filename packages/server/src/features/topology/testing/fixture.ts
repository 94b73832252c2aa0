import { inject } from 'vitest';
import { makeTelemetry, type Telemetry } from '../../../../test/seed-statistics.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { silentLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { createIngest } from '../../../telemetry/index.ts';

export interface Fixture {
  server: TestServer;
  owner: Registered;
  clock: ManualClock;
  telemetry: Telemetry;
  says(serial: string, state: object): Promise<void>;
  stop(): Promise<void>;
}

export async function startFixture(): Promise<Fixture> {
  const clock = new ManualClock(new Date());
  const server = await startTestServer({ clock });
  const owner = await server.register();
  const telemetry = await makeTelemetry(server, owner, clock);
  const { database } = server.db;
  const ingest = createIngest({ database, worker: inject('ingestWorker'), metrics: createMetrics(), log: silentLog() });
  return {
    server,
    owner,
    clock,
    telemetry,
    async says(serial, state) {
      clock.advance(60_000);
      const report = { jsonrpc: '2.0', method: 'state', params: { serial, state } };
      const of = { epoch: 1, at: clock.now() };
      const taken = await ingest.state({ accountId: owner.accountId, serial }, Buffer.from(JSON.stringify(report)), of);
      if (taken.outcome !== 'committed') throw new Error(`the report is ${taken.outcome}`);
    },
    async stop() {
      await ingest.stop();
      await server.stop();
    },
  };
}
