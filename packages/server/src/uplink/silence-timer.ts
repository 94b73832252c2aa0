/** Milliseconds. */
export class SilenceTimer {
  #askedAt: number | null = null;
  /** When the socket was last paused: pings could not arrive. */
  #deafAt = 0;

  heard(): void {
    this.#askedAt = null;
  }

  asked(now: number): void {
    this.#askedAt = now;
  }

  deaf(now: number): void {
    this.#deafAt = now;
  }

  /** Asks after a third of `silence`, ends after the rest. */
  check(now: number, lastFrameAt: number, silence: number): 'nothing' | 'ask' | 'over' {
    const quiet = now - Math.max(lastFrameAt, this.#deafAt);
    if (quiet <= silence / 3) {
      this.#askedAt = null;
      return 'nothing';
    }
    if (this.#askedAt === null) return 'ask';
    return now - this.#askedAt >= (silence * 2) / 3 ? 'over' : 'nothing';
  }
}
