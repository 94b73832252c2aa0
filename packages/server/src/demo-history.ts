import { join } from 'node:path';
import { livePast, type PastOptions, type SimulatedDevice } from '@yunxun/simulator';
import { createClosing } from './features/statistics/closing.ts';
import { addDays, dayOf, startOfDay } from './platform/calendar.ts';
import { systemClock } from './platform/clock.ts';
import type { Started } from './start.ts';
import { createHistory, type History } from './telemetry/history.ts';

/** How far the demo's past is written; kept with the demo, so that it is made once whatever ends the program meanwhile. */
export interface PastMemory {
  /** Its first day. */
  from: string;
  /** Where the living fleet of a network takes over, milliseconds: the moment at which its past was begun. */
  until?: Record<string, number>;
  /** Networks whose past is written. */
  done: string[];
  /** Sums of it are made. */
  rolled: boolean;
}

/** The calendar of the demo's accounts. */
const zone = 'Asia/Shanghai';
const days = 30;

/** The past of a demo that begins now: today and the days before it. */
export function newPast(now: Date): PastMemory {
  return { from: addDays(dayOf(now, zone), 1 - days), until: {}, done: [], rolled: false };
}

/** Makes what the demo's devices would have said before it was first started. */
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
      ...{ database: program.database, log: program.log, clock: systemClock, from: memory.from },
      worker: join(import.meta.dirname, 'telemetry/ingest/worker.js'),
      signal: this.#ending.signal,
    });
  }

  /** Nothing is to be made any more. */
  get complete(): boolean {
    return this.#memory.rolled;
  }

  open(): Promise<void> {
    return this.#history.open();
  }

  /** Writes the past of a network's devices, which are enrolled and not switched on yet, unless it is written. */
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
    const said = livePast({ ...network, hoursEast: 8, fromMs: startOfDay(from, zone).getTime(), untilMs });
    const serials = devices.map(({ serial }) => serial);
    const count = await this.#history.write(network.accountId, serials, said);
    done.push(network.remark);
    this.#remember();
    const seconds = Math.round((Date.now() - began) / 1000);
    console.log(`History of ${network.remark}: ${days} days, ${count} messages in ${seconds} s`);
  }

  /** Counts it together when all of it is written. */
  async roll(): Promise<void> {
    await this.#history.roll();
    await createClosing({ ...this.#program, clock: systemClock })();
    this.#memory.rolled = true;
    this.#remember();
  }

  /** Ends what is under way; the next start goes on with it. */
  stop(): Promise<void> {
    this.#ending.abort();
    return this.#history.stop();
  }
}
