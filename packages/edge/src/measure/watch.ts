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

/** Milliseconds. */
const connectMs = 3000;
/** An ICMP echo is a process. */
const atOnce = 10;

export interface WatchOptions {
  clock: Clock;
  run: Run;
  /** Returns milliseconds, or null. */
  tcp?: (address: string, port: number) => Promise<number | null>;
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
  #cancel: Cancel = () => {};

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
    this.#cancel();
    this.#round();
    return { error: 0, text: 'Success' };
  }

  stop(): void {
    this.#cancel();
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

  #round(): void {
    if (this.#watched.length === 0) return;
    this.#cancel = this.#options.clock.after(edgeWatchLimits.everyS * 1000, () => this.#round());
    const queue = [...this.#watched];
    const work = async () => {
      for (let one = queue.shift(); one; one = queue.shift()) await this.#probe(one);
    };
    for (let worker = 0; worker < Math.min(atOnce, this.#watched.length); worker += 1) void work();
  }

  async #probe(one: Watched): Promise<void> {
    const { clock, run, tcp = connectTo } = this.#options;
    const { address, port } = one.target;
    const ms =
      port === null ? readPing(await run('ping', ['-n', '-c', '1', '-W', '2', address])) : await tcp(address, port);
    one.at = clock.now();
    one.health.probed(ms, one.at);
  }
}

const keyOf = ({ id, address, port }: EdgeWatchTarget) => `${id} ${address} ${port}`;

function readTarget(given: unknown): EdgeWatchTarget | null {
  const { id, address, port } = asRecord<EdgeWatchTarget>(given);
  const [name, read] = [asText(id, 64), readAddress(address)];
  const isPort = port === null || (typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535);
  if (name === null || read === null || !isPrivate(read) || !isPort) return null;
  return { id: name, address: dotted(read), port };
}

/** Counts a refused connection as a miss: the port is declared open. */
export function connectTo(address: string, port: number, timeoutMs = connectMs): Promise<number | null> {
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
