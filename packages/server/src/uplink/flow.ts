const mebibyte = 1024 * 1024;
/** Bytes that pause a device's socket. */
export const highWater = 8 * mebibyte;
/** Bytes that resume it. */
export const lowWater = mebibyte;
/** Bytes of the process from which each device is limited to `share`. */
export const maxInAll = 256 * mebibyte;
/** A few reports. */
export const share = 64 * 1024;
/** Sustained; a hundred times the busiest device's need. */
export const bytesPerSecond = mebibyte;
/** After a pause. */
export const burst = 16 * mebibyte;
/** Bytes per frame. */
export const leastCost = 1024;

/** Limits unhandled bytes of all devices, which accumulate without the database. */
export class Capacity {
  readonly #max: number;
  #taken = 0;

  constructor(max = maxInAll) {
    this.#max = max;
  }

  get taken(): number {
    return this.#taken;
  }

  get full(): boolean {
    return this.#taken > this.#max;
  }

  add(bytes: number): void {
    this.#taken += bytes;
  }
}

export interface FlowOptions {
  capacity: Capacity;
  pause(): void;
  resume(): void;
  /** Monotonic milliseconds. */
  now(): number;
}

/**
 * Pauses a socket with too many unhandled messages or above its rate; TCP then slows the device. Inflated bytes count.
 */
export class Flow {
  readonly #options: FlowOptions;
  #waiting = 0;
  #full = false;
  #credit = burst;
  #creditAt: number;
  #rest: NodeJS.Timeout | null = null;
  #paused = false;
  #closed = false;
  readonly #payday: (() => void)[] = [];

  constructor(options: FlowOptions) {
    this.#options = options;
    this.#creditAt = options.now();
  }

  get paused(): boolean {
    return this.#paused;
  }

  read(bytes: number): void {
    this.#refill();
    this.#credit -= Math.max(bytes, leastCost);
    if (this.#credit < 0 && !this.#rest && !this.#closed) this.#restUntilPaid();
    this.#apply();
  }

  async paid(): Promise<void> {
    while (this.#rest && !this.#closed) await new Promise<void>((resolve) => this.#payday.push(resolve));
  }

  wait(bytes: number): void {
    const cost = Math.max(bytes, leastCost);
    const { capacity } = this.#options;
    this.#waiting += cost;
    capacity.add(cost);
    if (this.#waiting > (capacity.full ? share : highWater)) this.#full = true;
    this.#apply();
  }

  done(bytes: number): void {
    const cost = Math.max(bytes, leastCost);
    const { capacity } = this.#options;
    this.#waiting -= cost;
    capacity.add(-cost);
    if (this.#waiting < (capacity.full ? share / 2 : lowWater)) this.#full = false;
    this.#apply();
  }

  /** Resumes reading, for the close frame. */
  close(): void {
    this.#closed = true;
    if (this.#rest) clearTimeout(this.#rest);
    this.#rest = null;
    this.#apply();
  }

  #refill(): void {
    const now = this.#options.now();
    this.#credit = Math.min(burst, this.#credit + ((now - this.#creditAt) / 1000) * bytesPerSecond);
    this.#creditAt = now;
  }

  #restUntilPaid(): void {
    const wait = () => {
      this.#refill();
      this.#rest = this.#credit < 0 ? setTimeout(wait, Math.ceil((-this.#credit / bytesPerSecond) * 1000)) : null;
      this.#rest?.unref();
      this.#apply();
    };
    wait();
  }

  #apply(): void {
    if (this.#closed || !this.#rest) for (const paid of this.#payday.splice(0)) paid();
    const paused = !this.#closed && (this.#full || this.#rest !== null);
    if (paused === this.#paused) return;
    this.#paused = paused;
    if (paused) this.#options.pause();
    else this.#options.resume();
  }
}
