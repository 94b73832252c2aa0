import type { Cancel, Clock } from '../clock.ts';
import type { LayoutLine } from './layout.ts';
import { LineHealth, type LineHealthState, readPing } from './line-health.ts';
import type { Run } from './tools.ts';

/** Where a line's probes go out, as it is now. */
export interface LinePlace {
  /** Its own IPv4 address; null while it has none. */
  address: string | null;
  gateway: string | null;
  carrier: boolean;
}

/** What a line is told to be. */
export interface LineWord extends LineHealthState {
  interface: string;
  address: string | null;
  gateway: string | null;
}

/** What a prober needs. */
export interface ProberOptions {
  clock: Clock;
  run: Run;
  line: LayoutLine;
  place(): LinePlace;
  /** The line became alive or lost. */
  changed(): void;
}

/** A probe without an answer within this is lost; seconds. */
const patienceS = 1;

/** Pings what a line is to reach, from the line's own address, and judges. */
export class Prober {
  readonly #options: ProberOptions;
  readonly #health: LineHealth;
  #cancel: Cancel = () => {};
  #started = false;
  #stopped = false;
  /** Who answered last is asked first. */
  #favourite = 0;

  constructor(options: ProberOptions) {
    this.#options = options;
    this.#health = new LineHealth(options.line.fails, options.line.recovers);
  }

  get word(): LineWord {
    const { address, gateway } = this.#options.place();
    return { interface: this.#options.line.interface, address, gateway, ...this.#health.state };
  }

  /** Begins; once. */
  start(): void {
    if (this.#started || this.#stopped) return;
    this.#started = true;
    void this.#round();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** Probes now, and goes on from there. */
  async #round(): Promise<void> {
    const { clock, line } = this.#options;
    const began = clock.now();
    const changed = await this.probe();
    if (this.#stopped) return;
    if (changed) this.#options.changed();
    // in step with the clock, however long the probe took
    this.#cancel = clock.after(Math.max(50, line.everyS * 1000 - (clock.now() - began)), () => void this.#round());
  }

  /** One probe: the target that answered last; the others when it is silent. @returns whether the line became alive or lost */
  async probe(): Promise<boolean> {
    const { clock, run, line, place } = this.#options;
    const { address, gateway, carrier } = place();
    if (!carrier || address === null) return this.#health.dead(clock.now());
    const targets = line.targets.length > 0 ? line.targets : gateway === null ? [] : [gateway];
    if (targets.length === 0) return this.#health.dead(clock.now());
    let ms: number | null = null;
    for (let turn = 0; turn < targets.length && ms === null; turn += 1) {
      const which = (this.#favourite + turn) % targets.length;
      ms = readPing(await run('ping', ['-n', '-c', '1', '-W', `${patienceS}`, '-I', address, targets[which]!]));
      if (ms !== null) this.#favourite = which;
    }
    if (this.#stopped) return false;
    return this.#health.probed(ms, clock.now());
  }
}
