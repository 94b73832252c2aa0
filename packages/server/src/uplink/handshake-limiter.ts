export type Stage = 'arrival' | 'session';

/** Every n-th slot is an arrival's. */
const arrivalEvery = 4;

/**
 * Bounds database work of devices: a burst of connections must not block requests and jobs. Open sessions go first, so
 * that devices come online one by one.
 */
export class HandshakeLimiter {
  readonly #max: number;
  readonly #waiting: Record<Stage, Set<() => void>> = { arrival: new Set(), session: new Set() };
  #running = 0;
  #turn = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get waiting(): number {
    return this.#waiting.arrival.size + this.#waiting.session.size;
  }

  /** Forbids `work` to wait for this limiter. */
  async run<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#max) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting[stage].add(resolve));
    try {
      return await work();
    } finally {
      // passes the slot on, so `#running` stays
      const next = this.#next();
      if (next) next();
      else this.#running -= 1;
    }
  }

  #next(): (() => void) | undefined {
    const { arrival, session } = this.#waiting;
    this.#turn = (this.#turn + 1) % arrivalEvery;
    const line = arrival.size > 0 && (this.#turn === 0 || session.size === 0) ? arrival : session;
    const [next] = line;
    if (next) line.delete(next);
    return next;
  }
}
