import { deviceLimits } from '@yunxun/contract/device';

/** Milliseconds. */
export interface BackOffRule {
  afterSuccess: number;
  step: number;
  most: number;
  /** Random share of the wait (0…1); 1: from 0 to the whole. The firmware uses 0. */
  jitter: number;
  /** Longest accepted Retry-After of a 503; null: ignored. */
  maxAsked: number | null;
}

/** 0, 10, 20 … 900 s; 10 s after a working link. */
export const accessPointBackOff: BackOffRule = {
  afterSuccess: deviceLimits.backOffStep,
  step: deviceLimits.backOffStep,
  most: deviceLimits.backOffMax,
  jitter: 0,
  maxAsked: null,
};

/** Always 5 s. */
export const switchBackOff: BackOffRule = {
  afterSuccess: deviceLimits.switchBackOff,
  step: 0,
  most: deviceLimits.switchBackOff,
  jitter: 0,
  maxAsked: null,
};

/** Milliseconds. With the attempt, a host reconnects within 10 s. */
const agentWait = 6_000;

/**
 * Random, up to 6 s, for any outage: 10,000 agents make about 3,300 TCP connections per second, which a closed port
 * refuses at no cost. An overloaded console slows them with 503 and Retry-After.
 */
export const agentBackOff: BackOffRule = {
  afterSuccess: agentWait,
  step: 0,
  most: agentWait,
  jitter: 1,
  maxAsked: 60_000,
};

export class BackOff {
  #next: number;
  #asked = 0;

  constructor(
    readonly rule: BackOffRule,
    readonly random: () => number,
  ) {
    this.#next = 0;
    this.restarted();
  }

  restarted(): void {
    this.#next = this.rule.step === 0 ? this.rule.afterSuccess : 0;
    this.#asked = 0;
  }

  succeeded(): void {
    this.#next = this.rule.afterSuccess;
    this.#asked = 0;
  }

  /**
   * Never decreases until a success.
   * @param asked Retry-After: the wait is one to two times that, doubled with each such answer in a row
   */
  next(asked: number | null = null): number {
    const { maxAsked, most: max, step, jitter } = this.rule;
    if (asked !== null && maxAsked !== null) {
      const base = Math.min(asked * 2 ** this.#asked, maxAsked);
      this.#asked += 1;
      return Math.round(base * (1 + this.random()));
    }
    this.#asked = 0;
    const base = Math.min(this.#next, max);
    this.#next = Math.min(base + step, max);
    return Math.round(base * (1 - jitter * this.random()));
  }
}
