import type { Clock } from '../clock.ts';
import type { Plan } from '../render/plan.ts';
import type { Box } from './box.ts';
import { type Drift, driftOf, type Seen } from './drift.ts';

/** The same thing is put back again after so long at first, twice as long each time, ... */
const firstRest = 30_000;
/** ... this long at most (whoever takes it away means it), milliseconds. */
const longestRest = 3_600_000;
/** Something that stayed for so long is not a quarrel any more. */
const forgiven = 6 * 3_600_000;
/** Names in one event. */
const mostNames = 20;

/** What healing needs. */
export interface HealingOptions {
  box: Pick<Box, 'heal' | 'plan'>;
  clock: Clock;
  run: string;
  /** Null: it could not be seen. */
  look(): Promise<Seen | null>;
  /** Told what is back. */
  healed(what: readonly string[]): void;
  log(line: string): void;
}

/**
 * Notices that what was applied is not there any more (somebody flushed a table, took an address away, ended dnsmasq) and
 * puts that back, and nothing else: the steps are the difference between what is left of the plan and the plan. Who takes
 * the same thing away again and again is given way to for longer each time.
 */
export class Healing {
  readonly #options: HealingOptions;
  readonly #efforts = new Map<string, { times: number; at: number }>();
  /** How our table looked when it was made, and the plan it was made of. */
  #table: { plan: Plan; text: string | null } | null = null;
  #looking: Promise<void> | null = null;

  constructor(options: HealingOptions) {
    this.#options = options;
  }

  /** Looks once, and heals. Two at a time are one. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#options.log(`looking for drift: ${String(error)}`))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { box, healed, log } = this.#options;
    let before: readonly string[] | null = null;
    const missing = await box.heal(async (wanted) => {
      const drift = await this.#drift(wanted);
      before ??= drift?.missing ?? null;
      return drift;
    });
    if (missing === null || before === null) return;
    const gone: readonly string[] = before;
    const after = new Set(missing);
    const back = gone.filter((what) => !after.has(what));
    for (const what of gone) this.#effort(what);
    log(
      `put back: ${back.join(', ') || 'nothing'}${after.size === 0 ? '' : `; cannot be put back: ${[...after].join(', ')}`}`,
    );
    if (back.length > 0) healed(back.slice(0, mostNames));
  }

  async #drift(wanted: Plan): Promise<Drift | null> {
    const { box, clock, look, run } = this.#options;
    const seen = await look();
    if (seen === null) return null;
    if (this.#table?.plan !== box.plan) this.#table = { plan: box.plan, text: seen.table };
    const now = clock.now();
    const drift = driftOf(wanted, seen, run, this.#table.text, (what) => this.#rests(what, now));
    // the one that is made now is what the next look compares with
    if (drift.present.nft !== wanted.nft) this.#table = null;
    return drift;
  }

  #rests(what: string, now: number): boolean {
    const effort = this.#efforts.get(what);
    if (effort === undefined) return false;
    if (now - effort.at > forgiven) this.#efforts.delete(what);
    return now - effort.at < Math.min(firstRest * 2 ** (effort.times - 1), longestRest);
  }

  #effort(what: string): void {
    const times = (this.#efforts.get(what)?.times ?? 0) + 1;
    this.#efforts.set(what, { times, at: this.#options.clock.now() });
  }
}
