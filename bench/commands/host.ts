import { join } from 'node:path';
import { type Clock, systemClock } from '../../packages/server/src/platform/clock.ts';
import { readConfig } from '../../packages/server/src/platform/config.ts';
import { loadMasterKey } from '../../packages/server/src/platform/crypto/index.ts';
import { openDatabase } from '../../packages/server/src/platform/database/index.ts';
import { silentLog } from '../../packages/server/src/platform/log.ts';
import { startProgram } from '../../packages/server/src/program.ts';
import { built } from '../lib/server.ts';
import { askDevice, type Measurement } from './ask.ts';

/**
 * Runs the program on an external database, with access to bus and commits. A faster clock gives 1,000 devices the rate
 * of 100,000, still a minute apart.
 */

class QuickClock implements Clock {
  speed = 1;
  #at = Date.now();
  #mark = performance.now();

  now(): Date {
    return new Date(this.#at + (performance.now() - this.#mark) * this.speed);
  }

  set(speed: number): void {
    this.#at = this.now().getTime();
    this.#mark = performance.now();
    this.speed = speed;
  }
}

const config = readConfig(process.env);
const log = silentLog();
const masterKey = loadMasterKey(join(config.dataDir, 'master.key'));
const database = await openDatabase({ owner: { connectionString: config.databaseUrl as string }, masterKey, log });
const quick = process.env.BENCH_CLOCK === 'quick' ? new QuickClock() : null;
const clock: Clock = quick ?? systemClock;
const ingestWorker = built('telemetry/ingest/worker.js');
const program = await startProgram({ config, database, masterKey, log, clock, webDir: null, ingestWorker });

/** Milliseconds from arrival to commit. */
let latencies: number[] = [];
let hearing: (() => void) | null = null;

process.send?.({ ready: true });
process.on('message', (wanted: Measurement | { speed: number } | 'stop' | 'hear' | 'heard') => {
  if (wanted === 'stop') void program.stop().then(() => process.exit(0));
  else if (wanted === 'hear') {
    latencies = [];
    hearing ??= program.bus.subscribe('device.*.*.state', (fact) => {
      const { at } = fact as { at: string | Date };
      latencies.push((clock.now().getTime() - new Date(at).getTime()) / (quick?.speed ?? 1));
    });
  } else if (wanted === 'heard') {
    hearing?.();
    hearing = null;
    process.send?.({ latencies });
  } else if ('speed' in wanted) quick?.set(wanted.speed);
  else void askDevice(program.bus, wanted).then((times) => process.send?.({ times }));
});
