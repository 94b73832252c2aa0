export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export class ManualClock implements Clock {
  #at: number;

  constructor(at: Date = new Date()) {
    this.#at = at.getTime();
  }

  now(): Date {
    return new Date(this.#at);
  }

  advance(milliseconds: number): void {
    this.#at += milliseconds;
  }
}
