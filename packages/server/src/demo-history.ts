import { join } from 'node:path';
import { livePast, type PastOptions, type SimulatedDevice } from '@yunxun/simulator';
import { createClosing } from './features/statistics/index.ts';
import { addDays, dayOf, startOfDay } from './platform/calendar.ts';
import { systemClock } from './platform/clock.ts';
import type { Started } from './start.ts';
import { createHistory, type History } from './telemetry/history.ts';

/** Stored: generated once despite restarts. */
export interface PastMemory {
  from: string;
  /** When a network goes live, milliseconds: the start of its history. */
  until?: Record<string, number>;
  /** Networks with finished history. */
  done: string[];
  rolled: boolean;
}

const zone = 'Asia/Shanghai';
const days = 30;

/** Creates the history of a new demo: today and earlier days. */
export function newPast(now: Date): PastMemory {
  return { from: addDays(dayOf(now, zone), 1 - days), until: {}, done: [], rolled: false };
}

/** Generates reports from before the first start. */
export class DemoPast {
  readonly #memory: PastMemory;
  readonly #remember: () => void;
  readonly #program: Started;
  readonly #ending = new AbortController();
  readonly #history: History;

  constructor({ memory, remember, program }: { memory: PastMemory; remember: () => void; program: Started }) {
    this.#memory = memory;
    this.#remember = remember;
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
    network: { remark: string; accountId: string } & Omit<PastOptions, 'fromMs' | 'untilMs' | 'hoursEast'>,
    devices: readonly SimulatedDevice[],
  ): Promise<void> {
    const { done, from } = this.#memory;
    if (done.includes(network.remark)) return;
    const began = Date.now();
    this.#memory.until ??= {};
    this.#memory.until[network.remark] ??= began;
    const untilMs = this.#memory.until[network.remark] ?? began;
    this.#remember();
    const reports = livePast({ ...network, hoursEast: 8, fromMs: startOfDay(from, zone).getTime(), untilMs });
    const serials = devices.map(({ serial }) => serial);
    const count = await this.#history.write(network.accountId, serials, reports);
    done.push(network.remark);
    this.#remember();
    const seconds = Math.round((Date.now() - began) / 1000);
    console.log(`History of ${network.remark}: ${days} days, ${count} messages in ${seconds} s`);
  }

  /** Creates rollups after all history. */
  async rollUp(): Promise<void> {
    await this.#history.rollUp();
    await createClosing({ ...this.#program, clock: systemClock })();
    this.#memory.rolled = true;
    this.#remember();
  }

  /** Interrupts the work; the next start resumes it. */
  stop(): Promise<void> {
    this.#ending.abort();
    return this.#history.stop();
  }
}
