import type { ApplicationCategory } from '@yunxun/contract/device';
import type { Connection } from './conntrack.ts';
import type { Decision } from './rules.ts';

/** A client's MAC; `none`: not on the LAN; `later`: MAC not known yet. */
export type Owner = string | 'none' | 'later';

export interface Flow {
  mac: string;
  category: ApplicationCategory;
  down: number;
  up: number;
  uses: number;
}

export interface LedgerOptions {
  ownerOf(address: string): Owner;
  decide(connection: Connection): Decision;
  flow(flow: Flow): void;
}

interface Entry {
  original: number;
  reply: number;
  decision: Decision | null;
  used: boolean;
  missed: number;
}

export type KeptEntry = readonly [number, number, number, ApplicationCategory | null, 0 | 1, 0 | 1];

/** Beyond it, only end events count. */
const maxEntries = 50_000;
const maxWaiting = 10_000;
const timeout = 20;

/**
 * Counts growth. Kernel counters are absolute per entry, so repeats are safe. After a missed end event (queue
 * overflow), bytes since the last list are not counted, and `lost` counts the connection.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #entries = new Map<number, Entry>();
  #waiting: { connection: Connection; entry: Entry; sweeps: number }[] = [];
  /** Ended during a list, which may still show them. */
  #ended: Set<number> | null = null;
  #shown = new Set<number>();
  readonly #old = new Set<number>();
  #unfollowed = 0;
  #unfollowedBefore = 0;
  /** The first list only sets the baseline. */
  #begun: boolean;
  lost = 0;
  /** Bytes of ended connections of unknown MAC. */
  nobodys = 0;

  /** @param kept entries of the previous run; null: earlier bytes are not counted */
  constructor(
    options: LedgerOptions,
    kept: readonly KeptEntry[] | null,
    readonly max = maxEntries,
  ) {
    this.#options = options;
    this.#begun = kept !== null;
    for (const [id, original, reply, category, byName, used] of kept ?? []) {
      const decision = category === null ? null : { category, byName: byName === 1 };
      this.#entries.set(id, { original, reply, decision, used: used === 1, missed: 0 });
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  beginList(): void {
    this.#ended = new Set();
    this.#shown = new Set();
    this.#unfollowed = 0;
  }

  /** Returns whether id and sum suffice: counters only grow, so an equal sum means no change. */
  glimpsed({ id, bytes }: { id: number; bytes: number }): boolean {
    const entry = this.#entries.get(id);
    if (!entry || entry.original + entry.reply !== bytes) return false;
    if (this.#ended?.has(id)) return true;
    this.#shown.add(id);
    entry.missed = 0;
    return true;
  }

  list(connection: Connection): void {
    if (this.#ended?.has(connection.id)) return;
    if (this.#entries.size >= this.max && !this.#entries.has(connection.id)) {
      if (this.#begun) this.#unfollowed += 1;
      else this.#old.add(connection.id);
      return;
    }
    this.#shown.add(connection.id);
    const { original, reply } = bytesOf(connection);
    if (original === null || reply === null) return;
    const known = this.#entries.get(connection.id);
    if (!known && !this.#begun) {
      this.#entries.set(connection.id, { original, reply, decision: null, used: true, missed: 0 });
      return;
    }
    const entry = known ?? fresh();
    this.#entries.set(connection.id, entry);
    entry.missed = 0;
    this.#count(connection, entry);
  }

  endList(complete: boolean): void {
    // their end events may be missed
    this.lost += Math.max(0, this.#unfollowed - this.#unfollowedBefore);
    this.#unfollowedBefore = this.#unfollowed;
    if (complete) {
      this.#begun = true;
      for (const [id, entry] of this.#entries) {
        if (this.#shown.has(id)) continue;
        entry.missed += 1;
        // the end event may still arrive
        if (entry.missed < 2) continue;
        this.#entries.delete(id);
        this.lost += 1;
      }
    }
    this.#ended = null;
    this.#shown = new Set();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) {
      const left = this.#count(one.connection, one.entry);
      if (left === 0) continue;
      if (one.sweeps < timeout) this.#waiting.push({ ...one, sweeps: one.sweeps + 1 });
      else this.nobodys += left;
    }
  }

  end(connection: Connection): void {
    this.#ended?.add(connection.id);
    // it began before counting
    if (this.#old.delete(connection.id)) return;
    const known = this.#entries.get(connection.id);
    this.#entries.delete(connection.id);
    const { original, reply } = bytesOf(connection);
    if (original === null || reply === null || (!known && !this.#begun)) return;
    const entry = known ?? fresh();
    const left = this.#count(connection, entry);
    if (left === 0) return;
    if (this.#waiting.length < maxWaiting) this.#waiting.push({ connection, entry, sweeps: 0 });
    else this.nobodys += left;
  }

  keep(): KeptEntry[] {
    return [...this.#entries].map(([id, { original, reply, decision, used }]) => [
      id,
      original,
      reply,
      decision?.category ?? null,
      decision?.byName ? 1 : 0,
      used ? 1 : 0,
    ]);
  }

  #count(connection: Connection, entry: Entry): number {
    const now = { original: connection.original.bytes ?? 0, reply: connection.reply.bytes ?? 0 };
    // lower counters: the id was reused
    if (now.original < entry.original || now.reply < entry.reply) Object.assign(entry, fresh());
    const grown = { original: now.original - entry.original, reply: now.reply - entry.reply };
    const bytes = grown.original + grown.reply;
    if (bytes === 0) return 0;
    const caller = this.#options.ownerOf(connection.original.src);
    const called = this.#options.ownerOf(connection.reply.src);
    // without an answer the address may not exist
    const waits = caller === 'later' || (called === 'later' && now.reply > 0);
    if (waits) return bytes;
    if (!entry.decision?.byName) entry.decision = this.#options.decide(connection);
    const { category } = entry.decision;
    const uses = entry.used ? 0 : 1;
    if (isStation(caller)) this.#options.flow({ mac: caller, category, up: grown.original, down: grown.reply, uses });
    if (isStation(called) && called !== caller)
      this.#options.flow({ mac: called, category, up: grown.reply, down: grown.original, uses });
    entry.used = true;
    entry.original = now.original;
    entry.reply = now.reply;
    return 0;
  }
}

const fresh = (): Entry => ({ original: 0, reply: 0, decision: null, used: false, missed: 0 });
const isStation = (owner: Owner) => owner !== 'none' && owner !== 'later';
const bytesOf = ({ original, reply }: Connection) => ({ original: original.bytes, reply: reply.bytes });
