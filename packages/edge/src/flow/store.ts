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
  edgeFlowMaxRows,
  edgeMaxStations,
  normaliseMac,
} from '@yunxun/contract/device';
import { readJson, removeDurably, writeDurably } from '../apply/durable.ts';
import type { Flow, KeptEntry } from './ledger.ts';

/** Seconds of a row. */
const bucketLength = 300;
/** Unacknowledged; the oldest are dropped. */
const maxMessages = 200;

/** Unix seconds; earlier (before 2023) the clock is not set. */
export const clocksBegin = 1_700_000_000;
/** Idle seconds after which counters are dropped. */
const forgotten = 7 * 86_400;

const categories: ReadonlySet<unknown> = new Set(applicationCategories);

type Message = Omit<EdgeFlowParams, 'serial'>;

/**
 * Replaces pending rows and ledger in one file atomically: a crash counts nothing twice. It loses what ended
 * connections had counted since the last `save`.
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
  readonly kept: readonly KeptEntry[] | null;
  readonly missed: { lost: number; nobodys: number };
  givenUp = 0;

  /**
   * @param boot after a reboot all connections are gone
   * @param now Unix seconds
   */
  constructor(folder: string, boot: string | null, now: number) {
    this.#folder = join(folder, 'flow');
    this.#boot = boot;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const open = readJson(join(this.#folder, 'open.json'));
    const raw = asRecord<Open>(open);
    this.#waiting = readdirSync(this.#folder)
      .flatMap((name) => (/^\d{1,15}\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
      .sort((a, b) => a - b);
    const last = this.#waiting.at(-1) ?? 0;
    const seq = asCount(raw.seq);
    this.#seq = Math.max(seq ?? 1, last + 1);
    this.missed = { lost: asCount(raw.lost) ?? 0, nobodys: asCount(raw.nobodys) ?? 0 };
    this.givenUp = asCount(raw.given_up) ?? 0;
    for (const entry of asList(raw.stations)) {
      const [mac, rx, tx, at] = asList(entry);
      const known = normaliseMac(mac);
      if (known) this.#totals.set(known, { rx: asCount(rx) ?? 0, tx: asCount(tx) ?? 0, at: asCount(at) ?? now });
    }
    this.#saved = countersOf(this.#totals);
    // after a crash between message and save, these rows are in the message
    const inMessage = seq !== null && seq <= last ? edgeFlowMaxRows : 0;
    for (const row of asList(raw.rows).slice(inMessage).flatMap(readRow)) this.#rows.set(keyOf(row), row);
    const same = boot !== null && asText(raw.boot) === boot;
    this.kept = open === null ? null : same ? asList(raw.ledger).flatMap(readEntry) : [];
  }

  add({ mac, category, down, up, uses }: Flow, at: number): void {
    const row = { at: Math.floor(at / bucketLength) * bucketLength, mac, category, down, up, uses };
    const known = this.#rows.get(keyOf(row));
    if (known) Object.assign(known, { down: known.down + down, up: known.up + up, uses: known.uses + uses });
    else this.#rows.set(keyOf(row), row);
    const total = this.#totals.get(mac);
    this.#totals.set(mac, { rx: (total?.rx ?? 0) + up, tx: (total?.tx ?? 0) + down, at });
  }

  get totals(): ReadonlyMap<string, Total> {
    return this.#totals;
  }

  get saved(): readonly EdgeStationCounters[] {
    return this.#saved;
  }

  get waiting(): readonly number[] {
    return this.#waiting;
  }

  get hasRows(): boolean {
    return this.#rows.size > 0;
  }

  get isFull(): boolean {
    return this.#rows.size >= edgeFlowMaxRows;
  }

  save(ledger: { keep(): KeptEntry[]; lost: number; nobodys: number }, at: number): void {
    if (this.#erased) return;
    for (const [mac, total] of this.#totals)
      if (total.at >= clocksBegin && at - total.at > forgotten) this.#totals.delete(mac);
    // the console rejects longer lists; a dropped client restarts at zero
    const latest = [...this.#totals].sort(([, a], [, b]) => b.at - a.at);
    for (const [mac] of latest.slice(edgeMaxStations)) this.#totals.delete(mac);
    const open: Open = {
      boot: this.#boot,
      seq: this.#seq,
      rows: [...this.#rows.values()],
      ledger: ledger.keep(),
      stations: [...this.#totals].map(([mac, total]) => [mac, total.rx, total.tx, total.at] as const),
      lost: this.missed.lost + ledger.lost,
      nobodys: this.missed.nobodys + ledger.nobodys,
      given_up: this.givenUp,
    };
    writeDurably(join(this.#folder, 'open.json'), JSON.stringify(open));
    this.#saved = countersOf(this.#totals);
  }

  seal(ledger: Parameters<FlowStore['save']>[0], at: number): void {
    while (this.#rows.size > 0 && !this.#erased) {
      // milliseconds exceed those before a reset of the host
      this.#seq = Math.max(this.#seq, at * 1000);
      const rows = [...this.#rows.values()].slice(0, edgeFlowMaxRows);
      // first: after a crash the message's rows would count again
      this.save(ledger, at);
      // rows from before the clock was set
      const dated = rows.map((row) =>
        row.at < clocksBegin ? { ...row, at: Math.floor(at / bucketLength) * bucketLength } : row,
      );
      const message: Message = { seq: this.#seq, at, rows: dated };
      writeDurably(this.#path(this.#seq), JSON.stringify(message));
      this.#waiting.push(this.#seq);
      this.#seq += 1;
      for (const row of rows) this.#rows.delete(keyOf(row));
      this.save(ledger, at);
    }
    while (this.#waiting.length > maxMessages) {
      const oldest = this.#waiting[0]!;
      for (const { down, up } of this.message(oldest)?.rows ?? []) this.givenUp += down + up;
      this.#remove(oldest);
    }
  }

  message(seq: number): Message | null {
    const raw = asRecord<Message>(readJson(this.#path(seq)));
    const at = asCount(raw.at);
    if (asCount(raw.seq) === seq && at !== null) return { seq, at, rows: asList(raw.rows).flatMap(readRow) };
    this.#remove(seq);
    return null;
  }

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
  const raw = asRecord<EdgeFlowRow>(entry);
  const mac = normaliseMac(raw.mac);
  const [at, down, up, uses] = [raw.at, raw.down, raw.up, raw.uses].map(asCount);
  if (!mac || !isCategory(raw.category) || at == null || down == null || up == null || uses == null) return [];
  return [{ at, mac, category: raw.category, down, up, uses }];
}

function readEntry(entry: unknown): KeptEntry[] {
  const [id, original, reply, category, byName, used] = asList(entry);
  const [one, two, three] = [id, original, reply].map(asCount);
  if (one == null || two == null || three == null) return [];
  return [[one, two, three, isCategory(category) ? category : null, byName === 1 ? 1 : 0, used === 1 ? 1 : 0]];
}
