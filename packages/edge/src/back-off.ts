import { deviceLimits } from '@yunxun/contract/device';

/** How a client spaces its attempts, in milliseconds. */
export interface BackOffRule {
  /** Wait after a link that had worked. */
  afterSuccess: number;
  /** Added with every failure. */
  step: number;
  most: number;
  /** Share of the wait that is drawn at random (0…1). The firmware has none; the agent spreads its returns. */
  jitter: number;
}

/** The access-point client: 0, 10, 20 … 900 s, and 10 s after a link that had worked. */
export const accessPointBackOff: BackOffRule = {
  afterSuccess: deviceLimits.backOffStep,
  step: deviceLimits.backOffStep,
  most: deviceLimits.backOffMost,
  jitter: 0,
};

/** The switch client: always 5 s. */
export const switchBackOff: BackOffRule = {
  afterSuccess: deviceLimits.switchBackOff,
  step: 0,
  most: deviceLimits.switchBackOff,
  jitter: 0,
};

/** Our own agent: as the access point, spread by a third so that a restarted console is not met by everyone at once. */
export const agentBackOff: BackOffRule = { ...accessPointBackOff, most: 120_000, jitter: 1 / 3 };

/** Counts failures and says how long to wait. */
export class BackOff {
  #next: number;

  constructor(
    readonly rule: BackOffRule,
    readonly random: () => number,
  ) {
    this.#next = 0;
    this.restarted();
  }

  /** The client begins anew. */
  restarted(): void {
    this.#next = this.rule.step === 0 ? this.rule.afterSuccess : 0;
  }

  /** A link came up. */
  succeeded(): void {
    this.#next = this.rule.afterSuccess;
  }

  /** Wait before the next attempt; every call without a success in between is longer. */
  next(): number {
    const base = Math.min(this.#next, this.rule.most);
    this.#next = Math.min(base + this.rule.step, this.rule.most);
    const spread = base * this.rule.jitter;
    return Math.round(base - spread / 2 + spread * this.random());
  }
}
