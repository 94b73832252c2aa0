import { isDeepStrictEqual } from 'node:util';
import { publicProbe } from '@yunxun/contract/uplink-probe';
import type { Cancel, Clock } from '../clock.ts';
import { type AskServer, rankOf } from '../names/dns-query.ts';
import type { LayoutWan } from './layout.ts';
import type { Run } from './tools.ts';
import { readPing, WanHealth, type WanHealthState } from './wan-health.ts';

export interface WanPlace {
  address: string | null;
  gateway: string | null;
  nameServers: readonly string[];
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
  ask: AskServer;
  line: LayoutWan;
  place(): WanPlace;
  changed(): void;
}

const timeoutS = 1;

interface Target {
  by: 'ping' | 'dns';
  address: string;
}

export class Prober {
  readonly #options: ProberOptions;
  readonly #health: WanHealth;
  #cancel: Cancel = () => {};
  #started = false;
  #stopped = false;
  /** Answered last; probed first. */
  #favourite: Target | null = null;

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

  /** Probes the last responsive target first, then the others at once. Returns whether the state changed. */
  async probe(): Promise<boolean> {
    const { clock, line: wan, place } = this.#options;
    const { address, gateway, nameServers, carrier } = place();
    if (!carrier || address === null) return this.#health.dead(clock.now());
    const targets: Target[] = wan.targets.map((target) => ({ by: 'ping', address: target }));
    if (targets.length === 0) {
      if (gateway === null) return this.#health.dead(clock.now());
      // some gateways answer no ping
      targets.push({ by: 'ping', address: gateway });
      targets.push(...nameServers.map((server): Target => ({ by: 'dns', address: server })));
      targets.push({ by: 'ping', address: publicProbe });
    }
    const first = targets.find((target) => isDeepStrictEqual(target, this.#favourite)) ?? targets[0]!;
    const others = targets.filter((target) => target !== first);
    const turns = async (list: readonly Target[]) => {
      const answers = await Promise.all(list.map((target) => this.#msOf(target, address)));
      const which = answers.findIndex((one) => one !== null);
      if (which >= 0) this.#favourite = list[which]!;
      return answers[which] ?? null;
    };
    const ms = (await turns([first])) ?? (await turns(others));
    if (this.#stopped) return false;
    return this.#health.probed(ms, clock.now());
  }

  async #msOf({ by, address: target }: Target, from: string): Promise<number | null> {
    const { clock, run, ask, line } = this.#options;
    if (by === 'ping') {
      // bound to the device: another WAN may have the same subnet
      const argv = ['-n', '-c', '1', '-W', `${timeoutS}`, '-I', line.device, '-I', from, target];
      return readPing(await run('ping', argv));
    }
    const began = clock.now();
    const answer = await ask({ address: target, from }, null, { timeout: timeoutS * 1000, tries: 1 });
    return rankOf(answer) === 0 ? null : clock.now() - began;
  }
}
