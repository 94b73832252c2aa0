import { createHash } from 'node:crypto';
import {
  asText,
  type EdgeShield,
  type EdgeShieldBatch,
  type EdgeShieldRow,
  type EdgeShieldState,
  edgeShieldLimits,
} from '@yunxun/contract/device';
import { type Plan, ShieldDomains } from '@yunxun/edge';
import type { Random } from '../world/random.ts';

type List = EdgeShieldState['lists'][number] & { text: string };

const hour = 3600;
const askEvery = 1200;
/** Seconds after which a failed download is tried again, as the agent does. */
const retryAfter = 60;
const keyOf = ({ at, domain, mac }: EdgeShieldRow) => `${at} ${domain} ${mac}`;

/** The resolver and the agent's shield of a simulated gateway; it downloads lists as the agent does. */
export class SimulatedShield {
  fetch: (path: string) => Promise<string> = () => Promise.reject(new Error('no console'));
  #wanted: EdgeShield | null = null;
  #lists: readonly List[] = [];
  #names: readonly string[] = [];
  #domains = new ShieldDomains([], [], 0);
  #error: string | null = null;
  #failedFor = 0;
  #rows = new Map<string, EdgeShieldRow>();
  #batch: EdgeShieldBatch | null = null;
  #batches = 0;

  apply({ shield = null }: Pick<Plan, 'shield'>): void {
    this.#wanted = shield;
    if (shield === null) this.#use([]);
    else void this.#download(shield);
  }

  async #download(shield: EdgeShield): Promise<void> {
    const lists: List[] = [];
    this.#error = null;
    this.#failedFor = 0;
    for (const { category, sha256, path } of shield.lists) {
      const known = this.#lists.find((list) => list.sha256 === sha256);
      try {
        const text = known?.text ?? (await this.fetch(path));
        if (createHash('sha256').update(text, 'latin1').digest('hex') !== sha256)
          throw new Error(`${path} is another list`);
        lists.push({ category, sha256, text, domains: namesOf(text).length });
      } catch (problem) {
        this.#error = String(problem);
      }
    }
    if (this.#wanted === shield) this.#use(lists);
  }

  #use(lists: readonly List[]): void {
    this.#lists = lists;
    this.#names = lists.flatMap(({ text }) => namesOf(text));
    this.#domains = new ShieldDomains(lists, this.#wanted?.allow ?? [], edgeShieldLimits.domains);
  }

  tick(macs: readonly string[], seconds: number, nowMs: number, random: Random): void {
    if (this.#wanted && this.#error !== null) {
      this.#failedFor += seconds;
      if (this.#failedFor >= retryAfter) void this.#download(this.#wanted);
    }
    if (this.#names.length === 0) return;
    for (const mac of macs) if (random.chance(seconds / askEvery)) this.ask(random.pick(this.#names), mac, nowMs);
  }

  ask(name: string, mac: string, nowMs: number): void {
    const { mode } = this.#wanted ?? {};
    const found = this.#domains.find(name);
    if (mode === undefined || found === null) return;
    const at = Math.floor(nowMs / 1000 / hour) * hour;
    const row = { at, ...found, mac: mac.replaceAll(':', ''), blocked: mode === 'block', queries: 1 };
    const queries = (this.#rows.get(keyOf(row))?.queries ?? 0) + 1;
    this.#rows.set(keyOf(row), { ...row, queries });
  }

  batch(params: Readonly<Record<string, unknown>>): EdgeShieldBatch | null {
    if (this.#batch?.id === asText(params.taken, 64)) this.#batch = null;
    if (this.#batch === null && this.#rows.size > 0) {
      this.#batches += 1;
      const rows = [...this.#rows.values()].slice(0, edgeShieldLimits.rows);
      this.#batch = {
        id: createHash('sha256')
          .update(JSON.stringify([this.#batches, rows]))
          .digest('hex'),
        rows,
      };
      this.#rows = new Map();
    }
    return this.#batch;
  }

  state(): EdgeShieldState | null {
    const { mode } = this.#wanted ?? {};
    if (mode === undefined) return null;
    const lists = this.#lists.map(({ category, sha256, domains }) => ({ category, sha256, domains }));
    return { mode, lists, error: this.#error, refuses: mode === 'block' && this.#names.length > 0 ? true : null };
  }
}

const namesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
