import type { StateOutcome } from '../../uplink/session-context.ts';
import type { TerminalEvent } from '../extract/events.ts';

export interface Waiting {
  id: number;
  accountId: string;
  serial: string;
  epoch: number;
  /** Arrival, milliseconds. */
  at: number;
  /** Possible state report; null for an event. */
  frame: Buffer | null;
  event: TerminalEvent | null;
  upstream: readonly string[];
  settle(outcome: StateOutcome): void;
}

/** Bytes above which a report replaces older ones of its device. */
const softLimit = 48 * 1024 * 1024;
/** Bytes above which the oldest reports are shed. Events are not: flow control limits them. */
const hardLimit = 256 * 1024 * 1024;

/** Items before one that is posted within two event loop turns. */
const soon = 500;

export class Queue {
  readonly #limits: { softLimit: number; hardLimit: number };
  readonly #waiting = new Map<number, Waiting>();
  readonly #reports = new Map<string, number[]>();
  #bytes = 0;

  constructor(limits = { softLimit, hardLimit }) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns reports shed for it */
  put(one: Waiting): Waiting[] {
    const { frame } = one;
    // the slice would keep the socket's whole read buffer
    const long = this.size > soon && frame && frame.buffer.byteLength > frame.length * 2;
    const kept = long ? { ...one, frame: Buffer.from(frame) } : one;
    const shed: Waiting[] = [];
    if (frame) {
      const key = `${one.accountId} ${one.serial}`;
      const own = this.#reports.get(key) ?? [];
      if (this.#bytes > this.#limits.softLimit) for (const id of own.splice(0)) shed.push(...this.#remove(id));
      own.push(one.id);
      this.#reports.set(key, own);
    }
    this.#waiting.set(one.id, kept);
    this.#bytes += frame?.length ?? 0;
    if (this.#bytes > this.#limits.hardLimit) {
      for (const old of this.#waiting.values()) {
        if (this.#bytes <= this.#limits.hardLimit || old.id === one.id) break;
        if (!old.frame) continue;
        this.#forget(old);
        shed.push(...this.#remove(old.id));
      }
    }
    return shed;
  }

  take(count: number): Waiting[] {
    const taken: Waiting[] = [];
    for (const one of this.#waiting.values()) {
      if (taken.length >= count) break;
      taken.push(one);
    }
    for (const one of taken) {
      this.#remove(one.id);
      if (one.frame) this.#forget(one);
    }
    return taken;
  }

  #remove(id: number): Waiting[] {
    const one = this.#waiting.get(id);
    if (!one) return [];
    this.#waiting.delete(id);
    this.#bytes -= one.frame?.length ?? 0;
    return [one];
  }

  #forget({ id, accountId, serial }: Waiting): void {
    const key = `${accountId} ${serial}`;
    const left = (this.#reports.get(key) ?? []).filter((other) => other !== id);
    if (left.length > 0) this.#reports.set(key, left);
    else this.#reports.delete(key);
  }
}
