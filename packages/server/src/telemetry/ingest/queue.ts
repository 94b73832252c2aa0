import type { StateOutcome } from '../../uplink/session-context.ts';
import type { TerminalEvent } from '../extract/events.ts';

/** A frame or an event that waits, and who waits for it. */
export interface Waiting {
  id: number;
  accountId: string;
  serial: string;
  epoch: number;
  /** Arrival, milliseconds. */
  at: number;
  /** A frame that looks like a state report; null of an event. */
  frame: Buffer | null;
  event: TerminalEvent | null;
  settle(outcome: StateOutcome): void;
}

/** Up to so many bytes wait as they came; beyond, of each device only the newest report does, ... */
const calm = 48 * 1024 * 1024;
/** ... and beyond this the oldest reports go. Events stay: the sockets of devices with many are not read. */
const most = 256 * 1024 * 1024;

/** What so many others wait before goes over with this turn of the event loop or the next. */
const soon = 500;

/** What waits for the ingest thread, in the order of arrival. */
export class Queue {
  readonly #limits: { calm: number; most: number };
  readonly #waiting = new Map<number, Waiting>();
  /** The waiting reports of each device, oldest first. */
  readonly #reports = new Map<string, number[]>();
  #bytes = 0;

  constructor(limits = { calm, most }) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds one. @returns reports that had to go for it */
  put(one: Waiting): Waiting[] {
    const { frame } = one;
    // a frame is a part of what was read from the socket, which would be kept with it for as long as it waits
    const long = this.size > soon && frame && frame.buffer.byteLength > frame.length * 2;
    const kept = long ? { ...one, frame: Buffer.from(frame) } : one;
    const shed: Waiting[] = [];
    if (frame) {
      const key = `${one.accountId} ${one.serial}`;
      const own = this.#reports.get(key) ?? [];
      if (this.#bytes > this.#limits.calm) for (const id of own.splice(0)) shed.push(...this.#remove(id));
      own.push(one.id);
      this.#reports.set(key, own);
    }
    this.#waiting.set(one.id, kept);
    this.#bytes += frame?.length ?? 0;
    if (this.#bytes > this.#limits.most) {
      for (const old of this.#waiting.values()) {
        if (this.#bytes <= this.#limits.most || old.id === one.id) break;
        if (!old.frame) continue;
        this.#forget(old);
        shed.push(...this.#remove(old.id));
      }
    }
    return shed;
  }

  /** Takes the oldest out. */
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
