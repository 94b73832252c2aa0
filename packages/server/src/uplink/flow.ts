const mebibyte = 1024 * 1024;
/** So many bytes of one device may wait for their handlers before its socket is read no further, ... */
export const highWater = 8 * mebibyte;
/** ... and so few must be left before it is read again. */
export const lowWater = mebibyte;
/** So many bytes of all devices of a process may wait before each is held to its share, ... */
export const mostInAll = 256 * mebibyte;
/** ... which is enough for a few reports and for every word in between. */
export const share = 64 * 1024;
/** A device may send so many bytes a second for ever, a hundred times what the busiest one has to say, ... */
export const bytesPerSecond = mebibyte;
/** ... and so many at once after a pause. */
export const burst = 16 * mebibyte;
/** A frame counts as so many bytes, however short it is: that is what it costs to hold and to handle. */
export const leastCost = 1024;

/**
 * What waits of all devices together. Where the database is away, nothing is done with for as long as that lasts: what
 * one device may have waiting, a thousand may not have at once.
 */
export class Room {
  readonly #most: number;
  #taken = 0;

  constructor(most = mostInAll) {
    this.#most = most;
  }

  /** Bytes that wait. */
  get taken(): number {
    return this.#taken;
  }

  /** Whether each device is held to its share. */
  get full(): boolean {
    return this.#taken > this.#most;
  }

  /** So many more wait; fewer, where it is negative. */
  add(bytes: number): void {
    this.#taken += bytes;
  }
}

export interface FlowOptions {
  /** What the devices of the process share. */
  room: Room;
  /** Stops reading the socket. */
  pause(): void;
  /** Reads it again. */
  resume(): void;
  /** Milliseconds, never going back. */
  now(): number;
}

/**
 * Decides when a device's socket is read. Two things stop it: messages that wait for slow handlers, which would fill
 * the memory, and more bytes a second than one device's due, which would keep the others waiting. What is not read stays with
 * the device: TCP tells it to slow down. Bytes are those of the frame and, of a compressed one, the inflated ones too.
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

  /** A frame was read, whatever it was. */
  read(bytes: number): void {
    this.#refill();
    this.#credit -= Math.max(bytes, leastCost);
    if (this.#credit < 0 && !this.#rest && !this.#closed) this.#restUntilPaid();
    this.#apply();
  }

  /** Until the device is not in debt. */
  async paid(): Promise<void> {
    while (this.#rest && !this.#closed) await new Promise<void>((resolve) => this.#payday.push(resolve));
  }

  /** A message waits for its handler now. */
  wait(bytes: number): void {
    const cost = Math.max(bytes, leastCost);
    const { room } = this.#options;
    this.#waiting += cost;
    room.add(cost);
    if (this.#waiting > (room.full ? share : highWater)) this.#full = true;
    this.#apply();
  }

  /** A message has been handled. */
  done(bytes: number): void {
    const cost = Math.max(bytes, leastCost);
    const { room } = this.#options;
    this.#waiting -= cost;
    room.add(-cost);
    if (this.#waiting < (room.full ? share / 2 : lowWater)) this.#full = false;
    this.#apply();
  }

  /** The connection is ending: reads what still comes, so that the peer's goodbye is heard. */
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
