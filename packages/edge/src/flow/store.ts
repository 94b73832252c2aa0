import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ApplicationCategory,
  applicationCategories,
  asCount,
  asList,
  asRecord,
  asText,
  type EdgeFlowParams,
  type EdgeFlowRow,
  type EdgeStationCounters,
  edgeFlowMostRows,
  edgeMostStations,
  normaliseMac,
} from '@yunxun/contract/device';
import { readJson, removeDurably, writeDurably } from '../apply/durable.ts';
import type { Flow, KeptEntry } from './ledger.ts';

/** Rows of a station are put together by the quarter of an hour; seconds. */
const quarter = 900;
/** Messages that are kept for a console that does not take them; the oldest go first. */
const mostMessages = 200;

/** A clock that shows an earlier time (Unix seconds, 2023) has not been set. */
export const clocksBegin = 1_700_000_000;
/** Stations that did nothing for so long are not told of any more; seconds. */
const forgotten = 7 * 86_400;

const categories: ReadonlySet<unknown> = new Set(applicationCategories);

/** A message as it is kept. */
type Message = Omit<EdgeFlowParams, 'serial'>;

/**
 * What was counted, on disk: rows that wait for their message together with the ledger that they were counted from, in one
 * file that is replaced whole, so that after a kill nothing is counted twice; and messages that wait to be taken, a file
 * each. What was counted since the last `save` is lost by a kill, but for connections that still live: those are counted on.
 */
export class FlowStore {
  readonly #folder: string;
  readonly #boot: string | null;
  #rows = new Map<string, EdgeFlowRow>();
  #seq: number;
  #waiting: number[] = [];
  readonly #totals = new Map<string, Total>();
  #saved: readonly EdgeStationCounters[] = [];
  #erased = false;
  /** The ledger's entries of this boot; null where nothing is known of before. */
  readonly kept: readonly KeptEntry[] | null;
  /** Ends and bytes that the ledgers of before missed. */
  readonly missed: { lost: number; nobodys: number };
  givenUp = 0;

  /**
   * @param boot what tells one run of the kernel from another: its connections are gone with it
   * @param now Unix seconds
   */
  constructor(folder: string, boot: string | null, now: number) {
    this.#folder = join(folder, 'flow');
    this.#boot = boot;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const open = readJson(join(this.#folder, 'open.json'));
    const said = asRecord<Open>(open);
    this.#waiting = readdirSync(this.#folder)
      .flatMap((name) => (/^\d{1,15}\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
      .sort((a, b) => a - b);
    const last = this.#waiting.at(-1) ?? 0;
    const seq = asCount(said.seq);
    this.#seq = Math.max(seq ?? 1, last + 1);
    this.missed = { lost: asCount(said.lost) ?? 0, nobodys: asCount(said.nobodys) ?? 0 };
    this.givenUp = asCount(said.given_up) ?? 0;
    for (const entry of asList(said.stations)) {
      const [mac, rx, tx, at] = asList(entry);
      const known = normaliseMac(mac);
      if (known) this.#totals.set(known, { rx: asCount(rx) ?? 0, tx: asCount(tx) ?? 0, at: asCount(at) ?? now });
    }
    this.#saved = countersOf(this.#totals);
    // the message was written, and the kill came before these rows went: they are in it
    const inMessage = seq !== null && seq <= last ? edgeFlowMostRows : 0;
    for (const row of asList(said.rows).slice(inMessage).flatMap(readRow)) this.#rows.set(keyOf(row), row);
    const same = boot !== null && asText(said.boot) === boot;
    this.kept = open === null ? null : same ? asList(said.ledger).flatMap(readEntry) : [];
  }

  /** Counts a flow that ended at this time, Unix seconds. */
  add({ mac, category, down, up, uses }: Flow, at: number): void {
    const row = { at: Math.floor(at / quarter) * quarter, mac, category, down, up, uses };
    const known = this.#rows.get(keyOf(row));
    if (known) Object.assign(known, { down: known.down + down, up: known.up + up, uses: known.uses + uses });
    else this.#rows.set(keyOf(row), row);
    const total = this.#totals.get(mac);
    this.#totals.set(mac, { rx: (total?.rx ?? 0) + up, tx: (total?.tx ?? 0) + down, at });
  }

  /** Bytes of all stations since the counters began: `rx` from them; `at`: when they last did something. */
  get totals(): ReadonlyMap<string, Total> {
    return this.#totals;
  }

  /** Of these, what a restart would find: it never falls. */
  get saved(): readonly EdgeStationCounters[] {
    return this.#saved;
  }

  /** Messages that wait to be taken, the oldest first. */
  get waiting(): readonly number[] {
    return this.#waiting;
  }

  /** Whether there are rows for another message. */
  get hasRows(): boolean {
    return this.#rows.size > 0;
  }

  /** So many rows that a message is due, whoever listens. */
  get isFull(): boolean {
    return this.#rows.size >= edgeFlowMostRows;
  }

  /** Writes down what was counted at this time, Unix seconds. */
  save(ledger: { keep(): KeptEntry[]; lost: number; nobodys: number }, at: number): void {
    if (this.#erased) return;
    for (const [mac, total] of this.#totals)
      if (total.at >= clocksBegin && at - total.at > forgotten) this.#totals.delete(mac);
    // a longer list the console takes nothing of; who is let go of begins at nothing, as whoever is new to it
    const latest = [...this.#totals].sort(([, a], [, b]) => b.at - a.at);
    for (const [mac] of latest.slice(edgeMostStations)) this.#totals.delete(mac);
    const open: Open = {
      ...{ boot: this.#boot, seq: this.#seq, rows: [...this.#rows.values()], ledger: ledger.keep() },
      stations: [...this.#totals].map(([mac, total]) => [mac, total.rx, total.tx, total.at] as const),
      ...{ lost: this.missed.lost + ledger.lost, nobodys: this.missed.nobodys + ledger.nobodys },
      given_up: this.givenUp,
    };
    writeDurably(join(this.#folder, 'open.json'), JSON.stringify(open));
    this.#saved = countersOf(this.#totals);
  }

  /** Makes messages of the rows, and saves. */
  seal(ledger: Parameters<FlowStore['save']>[0], at: number): void {
    while (this.#rows.size > 0 && !this.#erased) {
      // numbers are times in milliseconds: above those of an earlier life of the box that nobody here remembers
      this.#seq = Math.max(this.#seq, at * 1000);
      const rows = [...this.#rows.values()].slice(0, edgeFlowMostRows);
      // the ledger first: without it a kill right after the message would count its rows again
      this.save(ledger, at);
      // what was counted before the box had the time belongs to now
      const dated = rows.map((row) =>
        row.at < clocksBegin ? { ...row, at: Math.floor(at / quarter) * quarter } : row,
      );
      const message: Message = { seq: this.#seq, at, rows: dated };
      writeDurably(this.#path(this.#seq), JSON.stringify(message));
      this.#waiting.push(this.#seq);
      this.#seq += 1;
      for (const row of rows) this.#rows.delete(keyOf(row));
      this.save(ledger, at);
    }
    while (this.#waiting.length > mostMessages) {
      const oldest = this.#waiting[0]!;
      for (const { down, up } of this.message(oldest)?.rows ?? []) this.givenUp += down + up;
      this.#remove(oldest);
    }
  }

  /** A message that waits; one that cannot be read is thrown away, and null. */
  message(seq: number): Message | null {
    const said = asRecord<Message>(readJson(this.#path(seq)));
    const at = asCount(said.at);
    if (asCount(said.seq) === seq && at !== null) return { seq, at, rows: asList(said.rows).flatMap(readRow) };
    this.#remove(seq);
    return null;
  }

  /** The console has everything up to this one. */
  taken(seq: number): void {
    for (const one of this.#waiting.filter((other) => other <= seq)) this.#remove(one);
  }

  #remove(seq: number): void {
    this.#waiting = this.#waiting.filter((one) => one !== seq);
    removeDurably(this.#path(seq));
  }

  #path(seq: number): string {
    return join(this.#folder, `${seq}.json`);
  }

  /** Forgets everything (the box goes back to what it was delivered as), and writes nothing more. */
  erase(): void {
    this.#erased = true;
    this.#rows.clear();
    this.#waiting = [];
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface Open {
  boot: string | null;
  seq: number;
  rows: readonly EdgeFlowRow[];
  ledger: readonly KeptEntry[];
  /** MAC, from it, to it, when it last did something. */
  stations: readonly (readonly [string, number, number, number])[];
  lost: number;
  nobodys: number;
  given_up: number;
}

interface Total {
  rx: number;
  tx: number;
  at: number;
}

function countersOf(totals: ReadonlyMap<string, Total>): EdgeStationCounters[] {
  return [...totals].map(([mac, { rx, tx }]) => ({ mac, rx_bytes: rx, tx_bytes: tx }));
}

const keyOf = ({ at, mac, category }: EdgeFlowRow) => `${at} ${mac} ${category}`;

function isCategory(value: unknown): value is ApplicationCategory {
  return categories.has(value);
}

function readRow(entry: unknown): EdgeFlowRow[] {
  const said = asRecord<EdgeFlowRow>(entry);
  const mac = normaliseMac(said.mac);
  const [at, down, up, uses] = [said.at, said.down, said.up, said.uses].map(asCount);
  if (!mac || !isCategory(said.category) || at == null || down == null || up == null || uses == null) return [];
  return [{ at, mac, category: said.category, down, up, uses }];
}

function readEntry(entry: unknown): KeptEntry[] {
  const [id, original, reply, category, byName, used] = asList(entry);
  const [one, two, three] = [id, original, reply].map(asCount);
  if (one == null || two == null || three == null) return [];
  return [[one, two, three, isCategory(category) ? category : null, byName === 1 ? 1 : 0, used === 1 ? 1 : 0]];
}
