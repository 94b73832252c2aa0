export interface WanHealthState {
  alive: boolean | null;
  latencyMs: number | null;
  lossPct: number | null;
  /** Milliseconds of the last transition. */
  since: number | null;
}

const window = 20;

/**
 * The first answer makes a WAN alive; after a loss, `recovers` in a row do. `fails` failures in a row, or a missing
 * cable or address, lose it.
 */
export class WanHealth {
  #alive: boolean | null = null;
  #since: number | null = null;
  #row = 0;
  #proven = false;
  #last: (number | null)[] = [];

  constructor(
    readonly fails: number,
    readonly recovers: number,
  ) {}

  /** Takes milliseconds, or null. Returns whether the state changed. */
  probed(ms: number | null, at: number): boolean {
    this.#last.push(ms);
    if (this.#last.length > window) this.#last.shift();
    const answered = ms !== null;
    this.#row = answered === this.#alive ? 0 : this.#row + 1;
    if (this.#alive === answered) return false;
    // before the first decision, failures count as on a living WAN
    if (this.#alive === null && !answered) return this.#row >= this.fails && this.#decide(false, at);
    if (answered && !this.#proven) return this.#decide(true, at);
    return this.#row >= (answered ? this.recovers : this.fails) && this.#decide(answered, at);
  }

  dead(at: number): boolean {
    this.#last = [];
    if (this.#alive === false) {
      this.#row = 0;
      return false;
    }
    return this.#decide(false, at);
  }

  get state(): WanHealthState {
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

export function readPing(text: string | null): number | null {
  const found = /bytes from [^\n]*time[=<](\d{1,7}(?:\.\d{1,6})?) ms/.exec(text ?? '');
  return found ? Number(found[1]) : null;
}
