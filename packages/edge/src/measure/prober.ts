import type { Cancel, Clock } from '../clock.ts';
import type { LayoutWan } from './layout.ts';
import type { Run } from './tools.ts';
import { readPing, WanHealth, type WanHealthState } from './wan-health.ts';

export interface WanPlace {
  address: string | null;
  gateway: string | null;
  carrier: boolean;
}

export interface WanStatus extends WanHealthState {
  interface: string;
  address: string | null;
  gateway: string | null;
}

export interface ProberOptions {
  clock: Clock;
  run: Run;
  line: LayoutWan;
  place(): WanPlace;
  changed(): void;
}

const timeoutS = 1;

export class Prober {
  readonly #options: ProberOptions;
  readonly #health: WanHealth;
  #cancel: Cancel = () => {};
  #started = false;
  #stopped = false;
  /** Answered last; probed first. */
  #favourite = 0;

  constructor(options: ProberOptions) {
    this.#options = options;
    this.#health = new WanHealth(options.line.fails, options.line.recovers);
  }

  get word(): WanStatus {
    const { address, gateway } = this.#options.place();
    return { interface: this.#options.line.interface, address, gateway, ...this.#health.state };
  }

  start(): void {
    if (this.#started || this.#stopped) return;
    this.#started = true;
    void this.#round();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #round(): Promise<void> {
    const { clock, line: wan } = this.#options;
    const began = clock.now();
    const changed = await this.probe();
    if (this.#stopped) return;
    if (changed) this.#options.changed();
    // keeps the period whatever the probe takes
    this.#cancel = clock.after(Math.max(50, wan.everyS * 1000 - (clock.now() - began)), () => void this.#round());
  }

  /** Probes the last responsive target first. Returns whether the state changed. */
  async probe(): Promise<boolean> {
    const { clock, run, line: wan, place } = this.#options;
    const { address, gateway, carrier } = place();
    if (!carrier || address === null) return this.#health.dead(clock.now());
    const targets = wan.targets.length > 0 ? wan.targets : gateway === null ? [] : [gateway];
    if (targets.length === 0) return this.#health.dead(clock.now());
    let ms: number | null = null;
    for (let turn = 0; turn < targets.length && ms === null; turn += 1) {
      const which = (this.#favourite + turn) % targets.length;
      ms = readPing(await run('ping', ['-n', '-c', '1', '-W', `${timeoutS}`, '-I', address, targets[which]!]));
      if (ms !== null) this.#favourite = which;
    }
    if (this.#stopped) return false;
    return this.#health.probed(ms, clock.now());
  }
}
