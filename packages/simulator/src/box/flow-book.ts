import {
  type ApplicationCategory,
  type EdgeFlowParams,
  type EdgeFlowRow,
  edgeFlowMaxRows,
} from '@yunxun/contract/device';
import type { Random } from '../world/random.ts';

const bucketMs = 5 * 60_000;

const weights: readonly (readonly [ApplicationCategory, number])[] = [
  ['Video', 34],
  ['HTTP', 24],
  ['IM', 9],
  ['Common', 9],
  ['Game', 6],
  ['Download', 6],
  ['Transport', 3],
  ['Others', 2],
  ['Unknown', 7],
];
const total = weights.reduce((sum, [, weight]) => sum + weight, 0);

export class FlowBook {
  readonly #random: Random;
  #rows = new Map<string, EdgeFlowRow>();
  #open: Omit<EdgeFlowParams, 'serial'> | null = null;
  #seq = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  get waiting(): number {
    return this.#open === null ? 0 : 1;
  }

  count(mac: string, down: number, up: number, nowMs: number): void {
    const category = this.#draw();
    const at = (Math.floor(nowMs / bucketMs) * bucketMs) / 1000;
    const key = `${at} ${mac} ${category}`;
    const row = this.#rows.get(key) ?? { at, mac: mac.replaceAll(':', ''), category, down: 0, up: 0, uses: 0 };
    this.#rows.set(key, { ...row, down: row.down + down, up: row.up + up, uses: row.uses + 1 });
  }

  message(nowMs: number): Omit<EdgeFlowParams, 'serial'> | null {
    if (this.#open !== null || this.#rows.size === 0) return this.#open;
    const rows = [...this.#rows.entries()].slice(0, edgeFlowMaxRows);
    for (const [key] of rows) this.#rows.delete(key);
    // grows across restarts without a file
    this.#seq = Math.max(this.#seq + 1, Math.floor(nowMs));
    this.#open = { seq: this.#seq, at: Math.floor(nowMs / 1000), rows: rows.map(([, row]) => row) };
    return this.#open;
  }

  taken(seq: number): void {
    if (this.#open !== null && this.#open.seq <= seq) this.#open = null;
  }

  #draw(): ApplicationCategory {
    let left = this.#random.between(0, total);
    for (const [category, weight] of weights) {
      left -= weight;
      if (left < 0) return category;
    }
    return 'Unknown';
  }
}
