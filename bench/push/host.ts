import { join } from 'node:path';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import { readConfig } from '../../packages/server/src/platform/config.ts';
import { loadMasterKey } from '../../packages/server/src/platform/crypto/index.ts';
import { openDatabase } from '../../packages/server/src/platform/database/index.ts';
import { silentLog } from '../../packages/server/src/platform/log.ts';
import { startProgram } from '../../packages/server/src/program.ts';
import { built } from '../lib/server.ts';

/** A bus that answers for devices after a delay; `commands` measures the sockets. */

interface Answering {
  accountId: string;
  serials: string[];
  takesMs: number;
}

const config = readConfig(process.env);
const log = silentLog();
const masterKey = loadMasterKey(join(config.dataDir, 'master.key'));
const database = await openDatabase({ owner: { connectionString: config.databaseUrl as string }, masterKey, log });
const ingestWorker = built('telemetry/ingest/worker.js');
const program = await startProgram({
  config,
  database,
  masterKey,
  log,
  clock: systemClock,
  webDir: null,
  ingestWorker,
});

const sent = new Map<string, number>();

process.send?.({ ready: true });
process.on('message', (wanted: Answering | 'stop' | 'sent') => {
  if (wanted === 'stop') void program.stop().then(() => process.exit(0));
  else if (wanted === 'sent') process.send?.({ devices: sent.size, most: Math.max(0, ...sent.values()) });
  else {
    for (const serial of wanted.serials) {
      program.bus.respond(`dev.${wanted.accountId}.${serial}.rpc`, async (request) => {
        const { method, params } = request as { method: string; params: { uuid?: number } };
        const uuid = params.uuid ?? 0;
        if (method === 'configure') {
          sent.set(serial, (sent.get(serial) ?? 0) + 1);
          await new Promise((resolve) => setTimeout(resolve, wanted.takesMs));
        }
        return { serial, uuid, status: { error: 0, text: 'Success' } };
      });
    }
    process.send?.({ answering: wanted.serials.length });
  }
});
