import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../apply/executor.ts';
import type { GatewayHost } from '../apply/gateway-host.ts';
import type { Clock } from '../clock.ts';
import type { Places } from './places.ts';

/** Milliseconds offline before the first attempt; doubles. */
const firstRest = 60_000;
const longestRest = 30 * 60_000;
const networkProgram = '/usr/lib/yunxun-edge/network';

export interface WayBackOptions {
  host: Pick<GatewayHost, 'plan' | 'returning'>;
  clock: Clock;
  renew(): void;
  log(line: string): void;
}

/**
 * Last resort of a host offline since a rollback: if the previous configuration has no WAN or does not hold, restarts
 * the distribution's network until the console is reached.
 */
export class WayBack {
  readonly #options: WayBackOptions;
  #next: number | null = null;
  #rest = firstRest;

  constructor(options: WayBackOptions) {
    this.#options = options;
  }

  returned(): void {
    this.#rest = firstRest;
    this.#next = this.#options.clock.now() + firstRest;
  }

  online(): void {
    this.#next = null;
  }

  look(): void {
    const { host, clock, renew, log } = this.#options;
    if (this.#next === null || clock.now() < this.#next) return;
    if (host.plan.lines.length > 0 && !host.returning) return;
    this.#rest = Math.min(this.#rest * 2, longestRest);
    this.#next = clock.now() + this.#rest;
    log('the console is not reached since the last change was taken back: the network of the distribution starts anew');
    renew();
  }
}

/** Writes the file that root's path unit watches, or runs the script as root. */
export function renewNetwork(
  { run }: Pick<Places, 'run'>,
  ports: Readonly<Record<string, string>>,
  log: (line: string) => void,
): void {
  const devices = Object.entries(ports).flatMap(([name, device]) => (name.startsWith('WAN') ? [device] : []));
  try {
    writeFileSync(join(run, 'network'), `${devices.join('\n')}\n`, { mode: 0o644 });
  } catch (error) {
    log(`the network of the distribution cannot be asked for: ${String(error)}`);
    return;
  }
  if (process.getuid?.() === 0 && existsSync(networkProgram)) void runTool([networkProgram], { timeout: 120_000 });
}
