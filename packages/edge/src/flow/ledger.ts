import type { ApplicationCategory } from '@yunxun/contract/device';
import type { Connection } from './conntrack.ts';
import type { Decision } from './rules.ts';

/** Whose an address is: a station's MAC; `none`: nobody's on the LAN; `later`: somebody's whose MAC is not known yet. */
export type Owner = string | 'none' | 'later';

/** Bytes of one station in one category: `down` to it, `up` from it. */
export interface Flow {
  mac: string;
  category: ApplicationCategory;
  down: number;
  up: number;
  /** Connections that were begun. */
  uses: number;
}

/** What the ledger asks. */
export interface LedgerOptions {
  ownerOf(address: string): Owner;
  /** What a connection is; asked again with each growth until a name decides. */
  decide(connection: Connection): Decision;
  /** Something was counted. */
  flow(flow: Flow): void;
}

/** A connection that is counted: bytes of both ways so far. */
interface Entry {
  original: number;
  reply: number;
  decision: Decision | null;
  /** It was counted as a use. */
  used: boolean;
  /** Lists in a row that did not show it. */
  missed: number;
}

/** An entry as it is kept over a restart: id, bytes of both ways, category, whether a name decided, whether it is a use. */
export type KeptEntry = readonly [number, number, number, ApplicationCategory | null, 0 | 1, 0 | 1];

/** Connections that are followed while they live. Of what is beyond, the end counts, and is all that counts. */
const mostEntries = 50_000;
/** Ended connections of stations whose MAC nobody knows yet. */
const mostWaiting = 10_000;
/** Sweeps that one waits through. */
const patience = 20;

/**
 * Counts what connections grew by. The kernel's counters are absolute for each entry, so that an entry may be shown any
 * number of times: by lists while it lives and by its end. Where the end is not heard (the kernel's queue ran over), what
 * passed since the last list is not counted; that is said as `lost`, for whoever was in a list at all.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #entries = new Map<number, Entry>();
  #waiting: { connection: Connection; entry: Entry; sweeps: number }[] = [];
  /** Ids of what ended while a list was being made: the list may still show them. */
  #ended: Set<number> | null = null;
  #shown = new Set<number>();
  /** Of the first list of a ledger that knows nothing: beyond what is followed, and old. */
  readonly #old = new Set<number>();
  /** Connections of this list, and of the one before, that are not followed. */
  #unfollowed = 0;
  #unfollowedBefore = 0;
  /** The first list of a ledger that knows nothing only says where counting begins. */
  #begun: boolean;
  /** Entries that vanished without an event, their bytes counted up to the last list. */
  lost = 0;
  /** Bytes of ended connections on the LAN whose station never had a MAC. */
  nobodys = 0;

  /** @param kept entries of the ledger before, null where there is none: what grew before now is then not counted */
  constructor(
    options: LedgerOptions,
    kept: readonly KeptEntry[] | null,
    readonly most = mostEntries,
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

  /** A list of all connections begins. */
  beginList(): void {
    this.#ended = new Set();
    this.#shown = new Set();
    this.#unfollowed = 0;
  }

  /**
   * A connection in a list of which only id and bytes of both ways together have been read. @returns whether that was
   * enough: it is known, and counted up to there. (Counters only grow; the same sum is the same counters.)
   */
  glimpsed({ id, bytes }: { id: number; bytes: number }): boolean {
    const entry = this.#entries.get(id);
    if (!entry || entry.original + entry.reply !== bytes) return false;
    if (this.#ended?.has(id)) return true;
    this.#shown.add(id);
    entry.missed = 0;
    return true;
  }

  /** A connection in a list. */
  list(connection: Connection): void {
    if (this.#ended?.has(connection.id)) return;
    if (this.#entries.size >= this.most && !this.#entries.has(connection.id)) {
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

  /** The list is complete. One that was cut off says nothing of who is gone: `complete` is false. */
  endList(complete: boolean): void {
    // their ends may not be heard
    this.lost += Math.max(0, this.#unfollowed - this.#unfollowedBefore);
    this.#unfollowedBefore = this.#unfollowed;
    if (complete) {
      this.#begun = true;
      for (const [id, entry] of this.#entries) {
        if (this.#shown.has(id)) continue;
        entry.missed += 1;
        // its end may be on its way
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
      if (one.sweeps < patience) this.#waiting.push({ ...one, sweeps: one.sweeps + 1 });
      else this.nobodys += left;
    }
  }

  /** A connection ended, with its last counters. */
  end(connection: Connection): void {
    this.#ended?.add(connection.id);
    // it began before anybody counted, and nobody knows how much of it is old
    if (this.#old.delete(connection.id)) return;
    const known = this.#entries.get(connection.id);
    this.#entries.delete(connection.id);
    const { original, reply } = bytesOf(connection);
    // before the first list nobody knows how much of it is old
    if (original === null || reply === null || (!known && !this.#begun)) return;
    const entry = known ?? fresh();
    const left = this.#count(connection, entry);
    if (left === 0) return;
    if (this.#waiting.length < mostWaiting) this.#waiting.push({ connection, entry, sweeps: 0 });
    else this.nobodys += left;
  }

  /** What a restart has to know; ended connections that wait for a MAC are not in it. */
  keep(): KeptEntry[] {
    return [...this.#entries].map(([id, { original, reply, decision, used }]) => [
      ...([id, original, reply, decision?.category ?? null] as const),
      ...([decision?.byName ? 1 : 0, used ? 1 : 0] as const),
    ]);
  }

  /** Counts what a connection grew by. @returns bytes that could not be given to anybody yet */
  #count(connection: Connection, entry: Entry): number {
    const now = { original: connection.original.bytes ?? 0, reply: connection.reply.bytes ?? 0 };
    // less than before: another connection has taken the id
    if (now.original < entry.original || now.reply < entry.reply) Object.assign(entry, fresh());
    const grown = { original: now.original - entry.original, reply: now.reply - entry.reply };
    const bytes = grown.original + grown.reply;
    if (bytes === 0) return 0;
    const caller = this.#options.ownerOf(connection.original.src);
    const called = this.#options.ownerOf(connection.reply.src);
    // nobody is known to be where nobody answered: a call into the void
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
