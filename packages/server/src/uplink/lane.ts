/** Who has just come, and who is in already. */
export type Stage = 'arrival' | 'session';

/** Of so many turns one is an arrival's, however much the sessions have to do. */
const arrivalEvery = 4;

/**
 * Bounds how much of the devices' work is with the database at once. Ten thousand that come in one moment would otherwise
 * stand in one line for the pool's connections with everybody who asks for a page, and with the jobs. Who is further on
 * the way goes first, so that devices are online one after the other and not all of them in the end.
 */
export class Lane {
  readonly #most: number;
  readonly #waiting: Record<Stage, Set<() => void>> = { arrival: new Set(), session: new Set() };
  #running = 0;
  #turn = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How much waits for its turn. */
  get waiting(): number {
    return this.#waiting.arrival.size + this.#waiting.session.size;
  }

  /** Runs `work` when it is its turn. It must not wait for other work of the lane. */
  async run<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting[stage].add(resolve));
    try {
      return await work();
    } finally {
      // the place goes to who is next, who counts as running from now on
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
