import { connect } from 'node:net';
import {
  asList,
  asRecord,
  asText,
  type EdgeWatchState,
  type EdgeWatchTarget,
  edgeWatchLimits,
} from '@yunxun/contract/device';
import { dotted, isPrivate, readAddress } from '@yunxun/contract/ipv4';
import type { Cancel, Clock } from '../clock.ts';
import type { ActionResult } from '../system.ts';
import type { Run } from './tools.ts';
import { readPing, WanHealth } from './wan-health.ts';

/** Milliseconds; 200 silent new targets take less than a minute. */
const [connectMs, firstConnectMs] = [3000, 2000];
/** An ICMP echo is a process. */
const [atOnce, firstAtOnce] = [10, 40];
/** Milliseconds: to collect changes, between their reports. */
const [collectMs, reportMs] = [1000, 10_000];

export interface WatchOptions {
  clock: Clock;
  run: Run;
  /** Returns milliseconds, or null. */
  tcp?: (address: string, port: number, timeoutMs: number) => Promise<number | null>;
  changed?: () => void;
}

interface Watched {
  target: EdgeWatchTarget;
  health: WanHealth;
  at: number | null;
}

/** Listed targets keep their history. */
export class Watch {
  readonly #options: WatchOptions;
  #revision: string | null = null;
  #watched: Watched[] = [];
  #cancel: Cancel | null = null;
  #again: Cancel | null = null;
  #report: Cancel | null = null;
  #reported = Number.NEGATIVE_INFINITY;
  readonly #probing = new Set<Watched>();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  declare(params: Readonly<Record<string, unknown>>): ActionResult {
    const revision = asText(params.revision, 64);
    const targets = asList(params.targets).map(readTarget);
    if (revision === null || targets.length > edgeWatchLimits.targets || targets.includes(null))
      return { error: 2, text: 'the list of targets is invalid' };
    const known = new Map(this.#watched.map((one) => [keyOf(one.target), one]));
    this.#watched = (targets as EdgeWatchTarget[]).map(
      (target) => known.get(keyOf(target)) ?? { target, health: new WanHealth(edgeWatchLimits.fails, 1), at: null },
    );
    this.#revision = revision;
    if (this.#watched.length === 0) this.stop();
    else {
      this.#cancel ??= this.#later();
      void this.#decide();
    }
    return { error: 0, text: 'Success' };
  }

  stop(): void {
    for (const cancel of [this.#cancel, this.#again, this.#report]) cancel?.();
    this.#cancel = this.#again = this.#report = null;
  }

  get state(): EdgeWatchState {
    return {
      revision: this.#revision,
      targets: this.#watched.map(({ target, health, at }) => {
        const { alive, latencyMs, since } = health.state;
        return {
          id: target.id,
          alive,
          latency_ms: latencyMs,
          since: since === null ? null : Math.floor(since / 1000),
          at: at === null ? null : Math.floor(at / 1000),
        };
      }),
    };
  }

  #later(): Cancel {
    return this.#options.clock.after(edgeWatchLimits.everyS * 1000, () => {
      this.#cancel = this.#later();
      void this.#probeAll(
        this.#watched.filter((one) => !isUndecided(one)),
        atOnce,
      );
    });
  }

  async #decide(): Promise<void> {
    this.#again?.();
    this.#again = null;
    await this.#probeAll(this.#watched.filter(isUndecided), firstAtOnce);
    if (this.#cancel === null || !this.#watched.some(isUndecided)) return;
    this.#again ??= this.#options.clock.after(edgeWatchLimits.firstS * 1000, () => void this.#decide());
  }

  async #probeAll(targets: readonly Watched[], workers: number): Promise<void> {
    const queue = targets.filter((one) => !this.#probing.has(one));
    for (const one of queue) this.#probing.add(one);
    const work = async () => {
      for (let one = queue.shift(); one; one = queue.shift()) {
        await this.#probe(one);
        this.#probing.delete(one);
      }
    };
    await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, work));
  }

  async #probe(one: Watched): Promise<void> {
    const { clock, run, tcp = connectTo } = this.#options;
    const { address, port } = one.target;
    const timeoutMs = isUndecided(one) ? firstConnectMs : connectMs;
    const ms =
      port === null
        ? readPing(await run('ping', ['-n', '-c', '1', '-W', '2', address]))
        : await tcp(address, port, timeoutMs);
    one.at = clock.now();
    const isListed = this.#watched.includes(one);
    if (one.health.probed(ms, one.at) && isListed) this.#tell();
  }

  #tell(): void {
    const { clock, changed } = this.#options;
    const now = clock.now();
    this.#report ??= clock.after(Math.max(collectMs, this.#reported + reportMs - now), () => {
      this.#report = null;
      this.#reported = clock.now();
      changed?.();
    });
  }
}

const isUndecided = ({ health }: Watched) => health.state.alive === null;

const keyOf = ({ id, address, port }: EdgeWatchTarget) => `${id} ${address} ${port}`;

function readTarget(given: unknown): EdgeWatchTarget | null {
  const { id, address, port } = asRecord<EdgeWatchTarget>(given);
  const [name, read] = [asText(id, 64), readAddress(address)];
  const isPort = port === null || (typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535);
  if (name === null || read === null || !isPrivate(read) || !isPort) return null;
  return { id: name, address: dotted(read), port };
}

/** Counts a refused connection as a miss: the port is declared open. */
export function connectTo(address: string, port: number, timeoutMs: number): Promise<number | null> {
  return new Promise((resolve) => {
    const began = performance.now();
    const socket = connect({ host: address, port });
    const end = (ms: number | null) => {
      socket.destroy();
      resolve(ms);
    };
    socket.setTimeout(timeoutMs, () => end(null));
    socket.once('connect', () => end(Math.round((performance.now() - began) * 100) / 100));
    socket.once('error', () => end(null));
  });
}
