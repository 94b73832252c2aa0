import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  asList,
  asRecord,
  asText,
  type EdgeShieldBatch,
  type EdgeShieldRow,
  edgeShieldLimits,
  type ShieldCategory,
} from '@yunxun/contract/device';
import { readJson, writeDurably } from '../apply/durable.ts';

const hour = 3600;

type Counted = Omit<EdgeShieldRow, 'queries'>;

const keyOf = ({ at, domain, mac, category, blocked }: Counted) => `${at} ${domain} ${mac} ${category} ${blocked}`;

/** By hour, domain and client, until the console has stored them. */
export class Counts {
  readonly #file: string;
  #open = new Map<string, EdgeShieldRow>();
  /** Handed out, and repeated until it is taken. */
  #batch: EdgeShieldBatch | null = null;
  #dirty = false;

  constructor(stateFolder: string) {
    this.#file = join(stateFolder, 'shield-counts.json');
    const kept = asRecord<{ batch: EdgeShieldBatch | null; rows: EdgeShieldRow[] }>(readJson(this.#file));
    const isBatch = asText(asRecord<EdgeShieldBatch>(kept.batch).id, 64) !== null;
    this.#batch = isBatch ? (kept.batch as EdgeShieldBatch) : null;
    for (const row of asList(kept.rows) as EdgeShieldRow[]) this.#open.set(keyOf(row), row);
  }

  /** Takes Unix seconds. Beyond the row limit only category sums are exact. */
  add(seconds: number, found: { domain: string; category: ShieldCategory }, mac: string, blocked: boolean): void {
    const at = seconds - (seconds % hour);
    const whole: Counted = { at, domain: found.domain, mac, category: found.category, blocked };
    const isFull = this.#open.size >= edgeShieldLimits.rows && !this.#open.has(keyOf(whole));
    const row = isFull ? { ...whole, domain: '', mac: '' } : whole;
    const key = keyOf(row);
    const queries = (this.#open.get(key)?.queries ?? 0) + 1;
    this.#open.set(key, { ...row, queries });
    this.#dirty = true;
  }

  /** Drops the batch `taken`; returns the next, or null. */
  next(taken: string | null): EdgeShieldBatch | null {
    if (this.#batch !== null && this.#batch.id === taken) {
      this.#batch = null;
      this.#dirty = true;
    }
    if (this.#batch === null && this.#open.size > 0) {
      this.#batch = { id: randomBytes(12).toString('hex'), rows: [...this.#open.values()] };
      this.#open = new Map();
      this.#dirty = true;
    }
    this.save();
    return this.#batch;
  }

  /** @throws file system errors */
  save(): void {
    if (!this.#dirty) return;
    writeDurably(this.#file, JSON.stringify({ batch: this.#batch, rows: [...this.#open.values()] }));
    this.#dirty = false;
  }

  erase(): void {
    this.#open = new Map();
    this.#batch = null;
    this.#dirty = true;
    this.save();
  }
}
