/** The time, injectable so that tests can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that tests set and advance. */
export class ManualClock implements Clock {
  #at: number;

  constructor(at: Date = new Date()) {
    this.#at = at.getTime();
  }

  now(): Date {
    return new Date(this.#at);
  }

  /** Moves the clock forward. */
  advance(milliseconds: number): void {
    this.#at += milliseconds;
  }
}
