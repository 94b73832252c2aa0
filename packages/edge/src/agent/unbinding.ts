import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { asFlag, asRecord, asText, edgeBoundMethod, edgeUnboundMethod, unboundTimes } from '@yunxun/contract/device';
import { readJson, removeDurably, writeDurably } from '../apply/durable.ts';
import type { Clock } from '../clock.ts';
import type { LinkEnd } from '../link.ts';

export interface UnbindingOptions {
  clock: Clock;
  /** 0…1. */
  random: () => number;
  stateFolder: string;
  /** Pinned authority, PEM. */
  ca: string;
  /** Removes what the console had added, while `quiet` holds. Returns whether it is gone. */
  takeDown(): Promise<boolean>;
  bringBack(): Promise<void>;
  /** Deletes it for good: it belongs to another account or console. */
  discard(): Promise<void>;
  log(line: string): void;
}

/**
 * Makes an unbound gateway quiet. Only the console's own statement counts, over a connection that the pinned authority
 * authenticates, repeated for half an hour without a session. Silence, an unknown device and other refusals change
 * nothing.
 */
export class Unbinding {
  readonly #options: UnbindingOptions;
  readonly #file: string;
  #quiet: boolean;
  #since: number | null = null;
  #last = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: UnbindingOptions) {
    this.#options = options;
    this.#file = join(options.stateFolder, 'unbound.json');
    this.#quiet = readJson(this.#file) !== null;
  }

  /** Whether the configuration is applied without what the console had added. */
  get quiet(): boolean {
    return this.#quiet;
  }

  /** Resolves when the last change is done. */
  get idle(): Promise<void> {
    return this.#turn;
  }

  online(): void {
    this.#since = null;
  }

  offline(end: LinkEnd): void {
    if (end.unbound) this.#noteAnswer();
  }

  /** Returns the wait before the next connection, in milliseconds; null: as usual. */
  pace(end: LinkEnd): number | null {
    const { retry, quietRetry } = unboundTimes;
    if (!this.#quiet && !end.unbound) return null;
    return Math.round((this.#quiet ? quietRetry : retry) * (1 - this.#options.random() / 2));
  }

  onCommand(method: string, params: Record<string, unknown>): void {
    if (method === edgeUnboundMethod) this.#noteAnswer();
    if (method === edgeBoundMethod) this.#inTurn(() => this.#bound(asFlag(params.same) === true));
  }

  forget(): void {
    removeDurably(this.#file);
  }

  #noteAnswer(): void {
    const now = this.#options.clock.now();
    const continues = this.#since !== null && now >= this.#last && now - this.#last <= unboundTimes.gap;
    if (!continues) this.#since = now;
    this.#last = now;
    if (this.#quiet) return;
    const left = unboundTimes.window - (now - (this.#since ?? now));
    if (left > 0) this.#options.log(`unbound: the console's parts are removed in ${Math.ceil(left / 60_000)} min`);
    else this.#inTurn(() => this.#goQuiet());
  }

  async #goQuiet(): Promise<void> {
    if (this.#quiet) return;
    this.#quiet = true;
    if (await this.#options.takeDown()) {
      this.#options.log("unbound: the console's parts are removed, LAN and internet stay");
      writeDurably(this.#file, JSON.stringify({ authority: this.#authority }));
    } else this.#quiet = false;
  }

  async #bound(same: boolean): Promise<void> {
    if (!this.#quiet) return;
    const known = asText(asRecord<{ authority: string }>(readJson(this.#file)).authority, 64);
    const isOurs = same && (known === null || known === this.#authority);
    this.#options.log(isOurs ? "bound again: the console's parts return" : 'bound to another account');
    if (!isOurs) await this.#options.discard();
    removeDurably(this.#file);
    this.#quiet = false;
    if (isOurs) await this.#options.bringBack();
  }

  get #authority(): string {
    return createHash('sha256').update(this.#options.ca).digest('hex');
  }

  #inTurn(work: () => Promise<void>): void {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      this.#options.log(`unbound: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}
