/** A line as its probes show it. */
export interface LineHealthState {
  /** Null: not decided yet. */
  alive: boolean | null;
  latencyMs: number | null;
  lossPct: number | null;
  /** Since when it is what it is, milliseconds; null before the first decision. */
  since: number | null;
}

/** So many probes make the window of latency and loss. */
const window = 20;

/**
 * Decides from probes whether a line carries anything. The first answer of all makes it alive, as do `recovers` in a row after it
 * was lost; `fails` in a row without one make it lost, at once where it has no cable or no address.
 */
export class LineHealth {
  #alive: boolean | null = null;
  #since: number | null = null;
  #row = 0;
  /** It carried something once. */
  #proven = false;
  #last: (number | null)[] = [];

  constructor(
    readonly fails: number,
    readonly recovers: number,
  ) {}

  /** A probe was answered in so many milliseconds, or (null) not. @returns whether the line became alive or lost by it */
  probed(ms: number | null, at: number): boolean {
    this.#last.push(ms);
    if (this.#last.length > window) this.#last.shift();
    const answered = ms !== null;
    this.#row = answered === this.#alive ? 0 : this.#row + 1;
    if (this.#alive === answered) return false;
    // before the first decision only an answer decides at once, and silence counts as of a living line
    if (this.#alive === null && !answered) return this.#row >= this.fails && this.#decide(false, at);
    if (answered && !this.#proven) return this.#decide(true, at);
    return this.#row >= (answered ? this.recovers : this.fails) && this.#decide(answered, at);
  }

  /** There is nothing to probe from. */
  dead(at: number): boolean {
    this.#last = [];
    if (this.#alive === false) {
      this.#row = 0;
      return false;
    }
    return this.#decide(false, at);
  }

  get state(): LineHealthState {
    const answered = this.#last.filter((ms) => ms !== null);
    const mean = answered.reduce((sum, ms) => sum + ms, 0) / answered.length;
    return {
      alive: this.#alive,
      latencyMs: answered.length === 0 ? null : Math.round(mean * 100) / 100,
      lossPct:
        this.#last.length === 0 ? null : Math.round(((this.#last.length - answered.length) / this.#last.length) * 100),
      since: this.#since,
    };
  }

  #decide(alive: boolean, at: number): true {
    this.#alive = alive;
    if (alive) this.#proven = true;
    this.#since = at;
    this.#row = 0;
    return true;
  }
}

/** Milliseconds of the one answer that `ping` shows (iputils, busybox); null where there is none. */
export function readPing(text: string | null): number | null {
  const found = /bytes from [^\n]*time[=<](\d{1,7}(?:\.\d{1,6})?) ms/.exec(text ?? '');
  return found ? Number(found[1]) : null;
}
