import type { Clock } from '../clock.ts';
import type { Plan } from '../render/plan.ts';
import { type Drift, driftOf, type Seen } from './drift.ts';
import type { GatewayHost } from './gateway-host.ts';

/** Milliseconds; doubles. */
const firstRest = 30_000;
/** Milliseconds: another program removes the entry on purpose. */
const longestRest = 3_600_000;
/** Milliseconds after which a present entry resets its back-off. */
const forgiven = 6 * 3_600_000;
const maxNames = 20;

export interface HealingOptions {
  host: Pick<GatewayHost, 'heal' | 'plan'>;
  clock: Clock;
  run: string;
  look(): Promise<Seen | null>;
  healed(what: readonly string[]): void;
  log(line: string): void;
}

/**
 * Restores only missing parts of the active plan (a flushed table, a stopped dnsmasq). Backs off if an entry keeps
 * disappearing.
 */
export class Healing {
  readonly #options: HealingOptions;
  readonly #efforts = new Map<string, { times: number; at: number }>();
  #table: { plan: Plan; text: string | null } | null = null;
  #looking: Promise<void> | null = null;

  constructor(options: HealingOptions) {
    this.#options = options;
  }

  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#options.log(`looking for drift: ${String(error)}`))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { host, healed, log } = this.#options;
    let before: readonly string[] | null = null;
    const missing = await host.heal(async (wanted) => {
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
    if (back.length > 0) healed(back.slice(0, maxNames));
  }

  async #drift(wanted: Plan): Promise<Drift | null> {
    const { host, clock, look, run } = this.#options;
    const seen = await look();
    if (seen === null) return null;
    if (this.#table?.plan !== host.plan) this.#table = { plan: host.plan, text: seen.table };
    const now = clock.now();
    const drift = driftOf(wanted, seen, run, this.#table.text, (what) => this.#rests(what, now));
    // the next check records the reloaded listing
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
