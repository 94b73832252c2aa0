import type { Cancel, Clock } from './clock.ts';

interface Entry {
  at: number;
  order: number;
  run: () => void;
}

export class ManualClock implements Clock {
  #now: number;
  #order = 0;
  readonly #entries = new Set<Entry>();

  constructor(startMs: number) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  after(delay: number, run: () => void): Cancel {
    this.#order += 1;
    const entry = { at: this.#now + Math.max(0, delay), order: this.#order, run };
    this.#entries.add(entry);
    return () => this.#entries.delete(entry);
  }

  get pending(): number {
    return this.#entries.size;
  }

  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#next(until);
      if (next === null) break;
      this.#entries.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = until;
  }

  #next(until: number): Entry | null {
    let best: Entry | null = null;
    for (const entry of this.#entries) {
      if (entry.at > until) continue;
      if (best === null || entry.at < best.at || (entry.at === best.at && entry.order < best.order)) best = entry;
    }
    return best;
  }
}
