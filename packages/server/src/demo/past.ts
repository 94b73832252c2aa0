import { join } from 'node:path';
import { livePast, type PastOptions, type PastOutage, type SimulatedDevice } from '@yunxun/simulator';
import { createClosing } from '../features/statistics/index.ts';
import { startOfDay } from '../platform/calendar.ts';
import { systemClock } from '../platform/clock.ts';
import type { Started } from '../start.ts';
import { createHistory, type History } from '../telemetry/history.ts';
import { type MemoryFile, type PastMemory, pastDays, zone } from './memory.ts';
import { beganAt, outagesOf, troublesOf } from './troubles.ts';
import { accounts } from './world.ts';

/** Generates reports from before the first start. */
export class DemoPast {
  readonly #file: MemoryFile;
  readonly #memory: PastMemory;
  readonly #save: () => void;
  readonly #program: Started;
  readonly #ending = new AbortController();
  readonly #history: History;

  constructor({ file, program }: { file: MemoryFile; program: Started }) {
    const memory = file.memory.past;
    this.#file = file;
    this.#memory = memory;
    this.#save = file.save;
    this.#program = program;
    this.#history = createHistory({
      database: program.database,
      log: program.log,
      clock: systemClock,
      from: memory.from,
      worker: join(import.meta.dirname, 'telemetry/ingest/worker.js'),
      signal: this.#ending.signal,
    });
  }

  get complete(): boolean {
    return this.#memory.rolled;
  }

  open(): Promise<void> {
    return this.#history.open();
  }

  /** Writes once; devices are enrolled, not running. */
  async write(
    network: { name: string; accountId: string } & Omit<PastOptions, 'fromMs' | 'untilMs' | 'hoursEast'>,
    devices: readonly SimulatedDevice[],
  ): Promise<void> {
    const { done, from } = this.#memory;
    if (done.includes(network.name)) return;
    const began = Date.now();
    this.#memory.until[network.name] ??= began;
    const untilMs = this.#memory.until[network.name] ?? began;
    this.#save();
    const outages = this.#outages(network.name, devices);
    const reports = livePast({ ...network, outages, hoursEast: 8, fromMs: startOfDay(from, zone).getTime(), untilMs });
    const serials = devices.map(({ serial }) => serial);
    const count = await this.#history.write(network.accountId, serials, reports);
    done.push(network.name);
    this.#save();
    const seconds = Math.round((Date.now() - began) / 1000);
    console.log(`History of ${network.name}: ${pastDays} days, ${count} messages in ${seconds} s`);
  }

  #outages(name: string, devices: readonly SimulatedDevice[]): PastOutage[] {
    const now = beganAt(this.#file);
    return accounts.flatMap((account) =>
      account.shops.flatMap((shop) => (shop.name === name ? outagesOf(troublesOf(account, shop, devices, now)) : [])),
    );
  }

  /** Creates rollups after all history. */
  async rollUp(): Promise<void> {
    await this.#history.rollUp();
    await createClosing({ ...this.#program, clock: systemClock })();
    this.#memory.rolled = true;
    this.#save();
  }

  /** Interrupts the work; the next start resumes it. */
  stop(): Promise<void> {
    this.#ending.abort();
    return this.#history.stop();
  }
}
